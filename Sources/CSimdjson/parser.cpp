#include "CSimdjson.h"

#include <new>
#include <simdjson.h>
#include <string_view>

struct simdjson_parser {
  simdjson::dom::parser dom;
};

static bool is_one_of(std::string_view set, char byte) {
  return set.find(byte) != std::string_view::npos;
}

// Whether a number of the text may be the whole number -0, whose sign the tape does not keep.
static bool may_have_negative_zero(std::string_view text) {
  for (size_t at = text.find("-0"); at != text.npos; at = text.find("-0", at + 2)) {
    bool begins = at == 0 || is_one_of("[:, \t\n\r", text[at - 1]);
    bool ends = at + 2 == text.size() || is_one_of("]}, \t\n\r", text[at + 2]);
    if (begins && ends) return true;
  }
  return false;
}

struct simdjson_parser *simdjson_make(size_t deepest) {
  auto parser = new (std::nothrow) simdjson_parser;
  // It grows with the texts and keeps the depth that it began with.
  if (parser && parser->dom.allocate(0, deepest)) {
    delete parser;
    return nullptr;
  }
  return parser;
}

void simdjson_free(struct simdjson_parser *parser) { delete parser; }

int simdjson_parse(struct simdjson_parser *parser, const void *bytes, size_t size) {
  std::string_view text(static_cast<const char *>(bytes), size);
  if (text.substr(0, 3) == "\xEF\xBB\xBF") text.remove_prefix(3);
  // A tape says in 32 bits where a container ends.
  if (text.empty() || text.size() > UINT32_MAX - simdjson::SIMDJSON_PADDING) return 0;
  // simdjson reads beyond a text's end; it copies the text to where it may.
  if (parser->dom.parse(text.data(), text.size()).error()) return 0;
  return !may_have_negative_zero(text);
}

const uint64_t *simdjson_tape(const struct simdjson_parser *parser) {
  return parser->dom.doc.tape.get();
}

const uint8_t *simdjson_strings(const struct simdjson_parser *parser) {
  return parser->dom.doc.string_buf.get();
}
