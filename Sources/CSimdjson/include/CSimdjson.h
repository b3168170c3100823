// A parser of simdjson's, as C has it: text in, its tape out.
//
// The tape is described in simdjson's doc/tape.md. A parser is for one thread at a time.
#ifndef CSIMDJSON_H
#define CSIMDJSON_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// A parser and the memory of the text that it parsed last.
struct simdjson_parser;

// Makes a parser that goes so many containers deep; NULL where there is no memory.
struct simdjson_parser *simdjson_make(size_t deepest);

// Frees a parser, and with it its tape and strings.
void simdjson_free(struct simdjson_parser *parser);

// Parses a text, which is copied; 1 where the tape holds all of it.
//
// 0 where simdjson refuses it, and where the tape would hold something else than the text says. A
// byte order mark before UTF-8 is passed over.
int simdjson_parse(struct simdjson_parser *parser, const void *text, size_t size);

// The tape of the text that was parsed last, until the next is parsed.
const uint64_t *simdjson_tape(const struct simdjson_parser *parser);

// Where the tape's texts are: the size of each in 4 bytes, its UTF-8, a 0.
const uint8_t *simdjson_strings(const struct simdjson_parser *parser);

#ifdef __cplusplus
}
#endif

#endif
