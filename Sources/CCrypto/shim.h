#pragma once
// The old calls start at once; the newer ones load providers and configuration first.
#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/md5.h>
#include <openssl/sha.h>
#include <openssl/bn.h>
