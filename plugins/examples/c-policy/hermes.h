// The part of the ABI of hermes-cdp plugins that a dialog policy in C needs: the host's functions, and a reader and a writer
// of protocol buffers. It needs no C library. docs/abi.md and abi/hermes.proto specify it.
#ifndef HERMES_H
#define HERMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define HERMES_EXPORT(name) __attribute__((export_name(name)))
#define HERMES_IMPORT(name) __attribute__((import_module("hermes_v1"), import_name(name)))

// What a hook returns.
enum { HERMES_DECIDED = 0, HERMES_ABSTAIN = 1, HERMES_ERROR = 2 };

// The host's functions return a length, or a negative code.
HERMES_IMPORT("event_read") int32_t hermes_event_read(void *buf, uint32_t limit);
HERMES_IMPORT("config_read") int32_t hermes_config_read(void *buf, uint32_t limit);
HERMES_IMPORT("result_write") int32_t hermes_result_write(const void *ptr, uint32_t len);
HERMES_IMPORT("error_write") int32_t hermes_error_write(const void *ptr, uint32_t len);

// A piece of a message. Strings here are not terminated by a zero.
typedef struct {
  const uint8_t *at;
  size_t size;
} hermes_bytes;

#define HERMES_TEXT(literal) ((hermes_bytes){(const uint8_t *)(literal), sizeof(literal) - 1})

// The wire types.
enum { HERMES_VARINT = 0, HERMES_FIXED64 = 1, HERMES_CHUNK = 2, HERMES_FIXED32 = 5 };

// One field of a message: value is that of a varint, chunk the content of a string or an embedded message.
typedef struct {
  uint64_t number;
  uint32_t wire;
  uint64_t value;
  hermes_bytes chunk;
} hermes_field;

// hermes_varint takes a varint from the front of rest.
static bool hermes_varint(hermes_bytes *rest, uint64_t *value) {
  *value = 0;
  for (uint32_t shift = 0; shift < 70 && rest->size > 0; shift += 7) {
    uint8_t byte = *rest->at++;
    rest->size--;
    if (shift == 63 && byte > 1) return false;
    *value |= (uint64_t)(byte & 0x7f) << shift;
    if (byte < 0x80) return true;
  }
  return false;
}

// hermes_take takes size bytes from the front of rest.
static bool hermes_take(hermes_bytes *rest, uint64_t size, hermes_bytes *taken) {
  if (size > rest->size) return false;
  *taken = (hermes_bytes){rest->at, (size_t)size};
  rest->at += size;
  rest->size -= (size_t)size;
  return true;
}

// hermes_next takes the next field from the front of rest; it is false if the message is malformed. Call it while rest
// is not empty, and ignore fields whose number you do not know or whose wire type is not that of the schema.
static bool hermes_next(hermes_bytes *rest, hermes_field *field) {
  uint64_t tag, size;
  if (!hermes_varint(rest, &tag)) return false;
  field->number = tag >> 3;
  field->wire = (uint32_t)(tag & 7);
  if (field->number == 0 || field->number > 0x1fffffff) return false;
  switch (field->wire) {
    case HERMES_VARINT: return hermes_varint(rest, &field->value);
    case HERMES_CHUNK: return hermes_varint(rest, &size) && hermes_take(rest, size, &field->chunk);
    case HERMES_FIXED64: return hermes_take(rest, 8, &field->chunk);
    case HERMES_FIXED32: return hermes_take(rest, 4, &field->chunk);
    default: return false;  // groups, and unknown wire types
  }
}

// hermes_is_utf8 reports whether a text is valid UTF-8, as the strings of a message must be.
static bool hermes_is_utf8(hermes_bytes text) {
  const uint8_t *p = text.at, *end = text.at + text.size;
  while (p < end) {
    uint32_t first = *p++;
    if (first < 0x80) continue;
    uint32_t more = first >= 0xf0 ? 3 : first >= 0xe0 ? 2 : 1;
    if (first < 0xc2 || first > 0xf4 || (size_t)(end - p) < more) return false;
    uint32_t low = first == 0xe0 ? 0xa0 : first == 0xf0 ? 0x90 : 0x80;   // below this there is a shorter encoding
    uint32_t high = first == 0xed ? 0x9f : first == 0xf4 ? 0x8f : 0xbf;  // above this are surrogates, or nothing
    for (uint32_t i = 0; i < more; i++, p++) {
      if (*p < (i == 0 ? low : 0x80) || *p > (i == 0 ? high : 0xbf)) return false;
    }
  }
  return true;
}

static bool hermes_same(hermes_bytes a, hermes_bytes b) {
  if (a.size != b.size) return false;
  for (size_t i = 0; i < a.size; i++) {
    if (a.at[i] != b.at[i]) return false;
  }
  return true;
}

// A buffer for an error or a verdict. What does not fit is cut off.
typedef struct {
  uint8_t bytes[1024];
  size_t size;
} hermes_buffer;

static void hermes_put_byte(hermes_buffer *to, uint8_t byte) {
  if (to->size < sizeof to->bytes) to->bytes[to->size++] = byte;
}

static void hermes_put(hermes_buffer *to, hermes_bytes text) {
  for (size_t i = 0; i < text.size; i++) hermes_put_byte(to, text.at[i]);
}

static void hermes_put_varint(hermes_buffer *to, uint64_t value) {
  for (; value >= 0x80; value >>= 7) hermes_put_byte(to, (uint8_t)(value | 0x80));
  hermes_put_byte(to, (uint8_t)value);
}

// hermes_put_field writes an enum, number or bool, unless it is 0 or false.
static void hermes_put_field(hermes_buffer *to, uint32_t number, uint64_t value) {
  if (value == 0) return;
  hermes_put_varint(to, (uint64_t)number << 3 | HERMES_VARINT);
  hermes_put_varint(to, value);
}

// hermes_put_text writes a string, unless it is empty.
static void hermes_put_text(hermes_buffer *to, uint32_t number, hermes_bytes text) {
  if (text.size == 0) return;
  hermes_put_varint(to, (uint64_t)number << 3 | HERMES_CHUNK);
  hermes_put_varint(to, text.size);
  hermes_put(to, text);
}

#endif
