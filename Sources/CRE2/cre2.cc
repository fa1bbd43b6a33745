#include "CRE2.h"

#include <re2/re2.h>

#include <new>
#include <string>
#include <vector>

struct cre2_pattern {
  RE2 expression;
  cre2_pattern(const re2::StringPiece &text, const RE2::Options &options)
      : expression(text, options) {}
};

static re2::StringPiece piece(const uint8_t *text, size_t length) {
  return re2::StringPiece(reinterpret_cast<const char *>(text), length);
}

cre2_pattern *cre2_compile(const uint8_t *text, size_t length) {
  RE2::Options options;
  options.set_log_errors(false);
  options.set_max_mem(1 << 20);
  cre2_pattern *pattern = new (std::nothrow) cre2_pattern(piece(text, length), options);
  if (pattern != nullptr && !pattern->expression.ok()) {
    delete pattern;
    return nullptr;
  }
  return pattern;
}

void cre2_free(cre2_pattern *pattern) { delete pattern; }

bool cre2_matches_whole(const cre2_pattern *pattern, const uint8_t *text, size_t length) {
  return pattern->expression.Match(piece(text, length), 0, length, RE2::ANCHOR_BOTH, nullptr, 0);
}

int32_t cre2_groups(const cre2_pattern *pattern) {
  return pattern->expression.NumberOfCapturingGroups();
}

int32_t cre2_group_named(const cre2_pattern *pattern, const uint8_t *name, size_t length) {
  const auto &names = pattern->expression.NamedCapturingGroups();
  const auto found = names.find(std::string(reinterpret_cast<const char *>(name), length));
  return found == names.end() ? -1 : found->second;
}

bool cre2_find(const cre2_pattern *pattern, const uint8_t *text, size_t length, size_t start,
               int64_t *bounds, int32_t count) {
  std::vector<re2::StringPiece> groups(count);
  const re2::StringPiece whole = piece(text, length);
  if (!pattern->expression.Match(whole, start, length, RE2::UNANCHORED, groups.data(), count)) {
    return false;
  }
  for (int32_t index = 0; index < count; index++) {
    const bool found = groups[index].data() != nullptr;
    bounds[2 * index] = found ? groups[index].data() - whole.data() : -1;
    bounds[2 * index + 1] = found ? bounds[2 * index] + (int64_t)groups[index].size() : -1;
  }
  return true;
}
