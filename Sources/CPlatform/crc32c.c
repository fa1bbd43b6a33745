#include "CPlatform.h"
#include <pthread.h>
#include <string.h>

// The polynomial 0x1EDC6F41 with its bits reversed.
#define POLYNOMIAL 0x82F63B78u

static uint32_t tables[8][256];
static pthread_once_t tables_made = PTHREAD_ONCE_INIT;

static void make_tables(void) {
  for (uint32_t byte = 0; byte < 256; byte++) {
    uint32_t crc = byte;
    for (int bit = 0; bit < 8; bit++) crc = crc & 1 ? crc >> 1 ^ POLYNOMIAL : crc >> 1;
    tables[0][byte] = crc;
  }
  for (uint32_t byte = 0; byte < 256; byte++)
    for (int table = 1; table < 8; table++)
      tables[table][byte] = tables[table - 1][byte] >> 8 ^ tables[0][tables[table - 1][byte] & 255];
}

uint32_t cplatform_crc32c_tables(uint32_t crc, const void *bytes, size_t count) {
  const uint8_t *next = bytes;
  pthread_once(&tables_made, make_tables);
  crc = ~crc;
  for (; count >= 8; count -= 8, next += 8) {
    crc ^= (uint32_t)next[0] | (uint32_t)next[1] << 8 | (uint32_t)next[2] << 16 | (uint32_t)next[3] << 24;
    crc = tables[7][crc & 255] ^ tables[6][crc >> 8 & 255] ^ tables[5][crc >> 16 & 255] ^
          tables[4][crc >> 24] ^ tables[3][next[4]] ^ tables[2][next[5]] ^ tables[1][next[6]] ^
          tables[0][next[7]];
  }
  while (count--) crc = crc >> 8 ^ tables[0][(crc ^ *next++) & 255];
  return ~crc;
}

#if defined(__x86_64__)
__attribute__((target("sse4.2"))) static uint32_t by_instruction(uint32_t crc, const uint8_t *next, size_t count) {
  uint64_t wide = ~crc;
  for (; count >= 8; count -= 8, next += 8) {
    uint64_t word;
    memcpy(&word, next, 8);
    wide = __builtin_ia32_crc32di(wide, word);
  }
  crc = (uint32_t)wide;
  while (count--) crc = __builtin_ia32_crc32qi(crc, *next++);
  return ~crc;
}
static int has_instruction(void) { return __builtin_cpu_supports("sse4.2"); }
#elif defined(__aarch64__) && (defined(__APPLE__) || defined(__ARM_FEATURE_CRC32))
__attribute__((target("crc"))) static uint32_t by_instruction(uint32_t crc, const uint8_t *next, size_t count) {
  crc = ~crc;
  for (; count >= 8; count -= 8, next += 8) {
    uint64_t word;
    memcpy(&word, next, 8);
    crc = __builtin_arm_crc32cd(crc, word);
  }
  while (count--) crc = __builtin_arm_crc32cb(crc, *next++);
  return ~crc;
}
static int has_instruction(void) { return 1; }
#else
static uint32_t by_instruction(uint32_t crc, const uint8_t *next, size_t count) {
  return cplatform_crc32c_tables(crc, next, count);
}
static int has_instruction(void) { return 0; }
#endif

uint32_t cplatform_crc32c(uint32_t crc, const void *bytes, size_t count) {
  return has_instruction() ? by_instruction(crc, bytes, count) : cplatform_crc32c_tables(crc, bytes, count);
}
