// What MenuModel uses of zlib.
#include <zlib.h>

// A macro of an expression, which Swift cannot see: prepares for gzip alone, with the largest window.
static inline int czlib_prepare_for_gzip(z_stream *stream) {
  return inflateInit2(stream, 16 + MAX_WBITS);
}
