// What PersistenceBackends uses of libzstd.
#include <zstd.h>

// What a frame says of the size of its content where it says none, and where it is no frame: macros
// of an expression, which Swift cannot see.
static const unsigned long long zstd_content_size_unknown = ZSTD_CONTENTSIZE_UNKNOWN;
static const unsigned long long zstd_content_size_error = ZSTD_CONTENTSIZE_ERROR;
