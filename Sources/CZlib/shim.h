// What MenuModel uses of zlib: the part of zlib.h that it needs, so that nobody needs the header to
// build. The library is looked for when the first gzip file is read; it compares its version and the
// size of this structure with its own (inflateInit2_), and refuses another.
#ifndef MENUBENCH_CZLIB_H
#define MENUBENCH_CZLIB_H

// z_stream.
typedef struct {
  const unsigned char *next_in;
  unsigned int avail_in;
  unsigned long total_in;
  unsigned char *next_out;
  unsigned int avail_out;
  unsigned long total_out;
  const char *msg;
  void *state;
  void *zalloc;
  void *zfree;
  void *opaque;
  int data_type;
  unsigned long adler;
  unsigned long reserved;
} czlib_stream;

// What inflate returns, and how it is asked to flush.
enum {
  CZLIB_NO_FLUSH = 0,
  CZLIB_OK = 0,
  CZLIB_STREAM_END = 1,
  CZLIB_MEM_ERROR = -4,
  CZLIB_BUF_ERROR = -5,
};

#endif
