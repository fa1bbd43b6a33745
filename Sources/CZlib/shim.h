#include <zlib.h>

/// `deflateInit2` and `inflateInit2` are macros, which Swift does not import. 15 + 16: the largest window, in gzip's wrapping.
static inline int hibachi_deflate_init(z_stream *stream, int level) {
  return deflateInit2(stream, level, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
}

static inline int hibachi_inflate_init(z_stream *stream) { return inflateInit2(stream, 15 + 16); }
