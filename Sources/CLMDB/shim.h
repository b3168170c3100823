// LMDB's own header, whole: its flags and result codes are macros that Swift can see.
#include <lmdb.h>
