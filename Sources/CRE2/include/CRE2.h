#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A compiled regular expression of RE2.
typedef struct cre2_pattern cre2_pattern;

/// Compiles UTF-8 text; NULL if RE2 does not take it. Free it with `cre2_free`.
cre2_pattern *cre2_compile(const uint8_t *text, size_t length);

void cre2_free(cre2_pattern *pattern);

/// Whether the whole of `text` matches.
bool cre2_matches_whole(const cre2_pattern *pattern, const uint8_t *text, size_t length);

/// How many capturing groups the pattern has, the whole match not counted.
int32_t cre2_groups(const cre2_pattern *pattern);

/// The number of the group with this name; -1 if there is none.
int32_t cre2_group_named(const cre2_pattern *pattern, const uint8_t *name, size_t length);

/// Looks for the first match at or behind byte `start` of `text`.
///
/// Writes the start and the end of the match and then of each of its groups to `bounds`, which has room for
/// `2 * (count)` numbers; -1 for a group that took no part.
bool cre2_find(const cre2_pattern *pattern, const uint8_t *text, size_t length, size_t start,
               int64_t *bounds, int32_t count);

#ifdef __cplusplus
}
#endif
