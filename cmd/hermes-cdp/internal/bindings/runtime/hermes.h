#ifndef HERMES_H
#define HERMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define HERMES_EXPORT(name) __attribute__((export_name(name)))
#define HERMES_IMPORT(name) __attribute__((import_module("hermes_v1"), import_name(name)))

// What a hook returns.
enum { HERMES_DECIDED = 0, HERMES_ABSTAIN = 1, HERMES_ERROR = 2 };

// The host's functions. They return a length, or a negative code of docs/abi.md.
HERMES_IMPORT("event_read") int32_t hermes_event_read(void *buf, uint32_t limit);
HERMES_IMPORT("config_read") int32_t hermes_config_read(void *buf, uint32_t limit);
HERMES_IMPORT("result_write") int32_t hermes_result_write(const void *ptr, uint32_t len);
HERMES_IMPORT("error_write") int32_t hermes_error_write(const void *ptr, uint32_t len);
HERMES_IMPORT("log") int32_t hermes_log(int32_t level, const void *ptr, uint32_t len);
HERMES_IMPORT("state_get") int32_t hermes_state_get(const void *key, uint32_t key_len, void *buf, uint32_t limit);
HERMES_IMPORT("kv_get") int32_t hermes_kv_get(const void *key, uint32_t key_len, void *buf, uint32_t limit);
HERMES_IMPORT("kv_set") int32_t hermes_kv_set(const void *key, uint32_t key_len, const void *value, uint32_t value_len);
HERMES_IMPORT("kv_delete") int32_t hermes_kv_delete(const void *key, uint32_t key_len);
HERMES_IMPORT("kv_list") int32_t hermes_kv_list(const void *prefix, uint32_t prefix_len, void *buf, uint32_t limit);

// An older host answers UNSUPPORTED to these, if the manifest lists them under optional_imports. A ttl_ms of 0 is for good.
HERMES_IMPORT("kv_set_ttl") int32_t hermes_kv_set_ttl(const void *key, uint32_t key_len, const void *value, uint32_t value_len, int64_t ttl_ms);
HERMES_IMPORT("kv_compare_and_set") int32_t hermes_kv_compare_and_set(const void *key, uint32_t key_len, const void *old, uint32_t old_len, const void *value, uint32_t value_len, int64_t ttl_ms);
#define HERMES_KV_NO_VALUE UINT32_MAX  // an old_len: there must be none
enum { HERMES_CONFLICT = -8 };         // there is another value than the old one

// Functions of the program that embeds the host. A module declares each one that it calls, with its version:
//   HERMES_EMBEDDER("lookup_v1") int32_t lookup_v1(const void *request, uint32_t request_len, void *buf, uint32_t limit);
#define HERMES_EMBEDDER(name) __attribute__((import_module("embedder"), import_name(name)))
HERMES_IMPORT("answer_read") int32_t hermes_answer_read(void *buf, uint32_t limit);
enum { HERMES_FAILED = -7 };  // the function failed, and the answer is the reason

// Include this file in one file of the module: it exports the marker.
HERMES_EXPORT("hermes_abi_v1") void hermes_abi_v1(void) {}

// A text, which is not terminated by a zero, or bytes.
typedef struct {
  const uint8_t *at;
  size_t size;
} hermes_bytes;

#define HERMES_TEXT(literal) ((hermes_bytes){(const uint8_t *)(literal), sizeof(literal) - 1})

// Memory is taken from the end of what is in use and given back all at once, when the next call begins. What hermes_init
// has taken stays.
static uintptr_t hermes_begin, hermes_end;

static void *hermes_room(size_t size) {
  if (hermes_begin == 0) hermes_begin = hermes_end = (uintptr_t)__builtin_wasm_memory_size(0) << 16;
  uintptr_t start = (hermes_end + 7) & ~(uintptr_t)7, have = (uintptr_t)__builtin_wasm_memory_size(0) << 16;
  if (size > UINT32_MAX / 2 - start) __builtin_trap();
  if (start + size > have) {
    if (__builtin_wasm_memory_grow(0, (start + size - have + 0xffff) >> 16) == (size_t)-1) __builtin_trap();
  }
  hermes_end = start + size;
  return (void *)start;
}

// HERMES_ASK calls a function of the embedder, once. It is 0, or a negative code of docs/abi.md.
#define HERMES_ASK(function, request, answer) hermes_answered(function((request).at, (uint32_t)(request).size, NULL, 0), answer)

static inline int32_t hermes_answered(int32_t n, hermes_bytes *answer) {
  int32_t code = n < 0 ? n : 0;
  *answer = (hermes_bytes){NULL, 0};
  if (code == HERMES_FAILED) n = hermes_answer_read(NULL, 0);
  if (n <= 0) return code;
  uint8_t *bytes = hermes_room((size_t)n);
  if (hermes_answer_read(bytes, (uint32_t)n) == n) *answer = (hermes_bytes){bytes, (size_t)n};
  return code;
}

static bool hermes_same(hermes_bytes a, hermes_bytes b) {
  if (a.size != b.size) return false;
  for (size_t i = 0; i < a.size; i++) {
    if (a.at[i] != b.at[i]) return false;
  }
  return true;
}

// hermes_find is where a text contains another, or the size of the text.
static size_t hermes_find(hermes_bytes text, hermes_bytes part) {
  for (size_t start = 0; start + part.size <= text.size; start++) {
    if (hermes_same((hermes_bytes){text.at + start, part.size}, part)) return start;
  }
  return text.size;
}

// A buffer that grows.
typedef struct {
  uint8_t *at;
  size_t size, room;
} hermes_buffer;

static void hermes_add(hermes_buffer *to, hermes_bytes more) {
  if (to->size + more.size > to->room) {
    size_t room = (to->size + more.size) * 2 + 64;
    uint8_t *larger = hermes_room(room);
    for (size_t i = 0; i < to->size; i++) larger[i] = to->at[i];
    to->at = larger;
    to->room = room;
  }
  for (size_t i = 0; i < more.size; i++) to->at[to->size++] = more.at[i];
}

static hermes_bytes hermes_all(hermes_buffer from) { return (hermes_bytes){from.at, from.size}; }

// hermes_join puts two texts together.
static hermes_bytes hermes_join(hermes_bytes a, hermes_bytes b) {
  hermes_buffer both = {NULL, 0, 0};
  hermes_add(&both, a);
  hermes_add(&both, b);
  return hermes_all(both);
}

static hermes_bytes hermes_decimal(uint64_t n) {
  uint8_t *digits = hermes_room(20);
  size_t at = 20;
  do {
    digits[--at] = (uint8_t)('0' + n % 10);
  } while ((n /= 10) > 0);
  return (hermes_bytes){digits + at, 20 - at};
}

// hermes_fail makes a hook fail: the host falls back to its own rule. Return what it returns.
static int32_t hermes_fail(hermes_bytes reason) {
  hermes_error_write(reason.at, reason.size);
  return HERMES_ERROR;
}

// A character of UTF-8 begins with a byte that is not 10xxxxxx.
static size_t hermes_width(hermes_bytes text, size_t at) {
  size_t n = 1;
  while (at + n < text.size && (text.at[at + n] & 0xc0) == 0x80) n++;
  return n;
}

// hermes_matches says whether all of a text is like a pattern: * stands for any text, ? for one character.
static bool hermes_matches(hermes_bytes pattern, hermes_bytes text) {
  size_t p = 0, at = 0, star = SIZE_MAX, tried = 0;
  while (at < text.size) {
    if (p < pattern.size && pattern.at[p] == '*') {
      star = ++p;
      tried = at;
    } else if (p < pattern.size && pattern.at[p] == '?') {
      p++;
      at += hermes_width(text, at);
    } else if (p < pattern.size && pattern.at[p] == text.at[at]) {
      p++;
      at++;
    } else if (star != SIZE_MAX) {
      p = star;
      tried += hermes_width(text, tried);
      at = tried;
    } else {
      return false;
    }
  }
  while (p < pattern.size && pattern.at[p] == '*') p++;
  return p == pattern.size;
}

// The wire types.
enum { HERMES_VARINT = 0, HERMES_FIXED64 = 1, HERMES_CHUNK = 2, HERMES_FIXED32 = 5 };

// One field of a message: value is that of a varint, chunk what the others contain.
typedef struct {
  uint64_t number;
  uint32_t wire;
  uint64_t value;
  hermes_bytes chunk;
} hermes_field;

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

static bool hermes_take(hermes_bytes *rest, uint64_t size, hermes_bytes *taken) {
  if (size > rest->size) return false;
  *taken = (hermes_bytes){rest->at, (size_t)size};
  rest->at += size;
  rest->size -= (size_t)size;
  return true;
}

// hermes_next takes the next field from the front of rest; it is false if the message is malformed. Call it while rest is
// not empty.
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

static bool hermes_text(const hermes_field *f, hermes_bytes *text) {
  *text = f->chunk;
  return hermes_is_utf8(*text);
}

static void hermes_put_varint(hermes_buffer *to, uint64_t value) {
  uint8_t bytes[10];
  size_t n = 0;
  for (; value >= 0x80; value >>= 7) bytes[n++] = (uint8_t)(value | 0x80);
  bytes[n++] = (uint8_t)value;
  hermes_add(to, (hermes_bytes){bytes, n});
}

static void hermes_put_tag(hermes_buffer *to, uint32_t number, uint32_t wire) { hermes_put_varint(to, (uint64_t)number << 3 | wire); }

static void hermes_put_number(hermes_buffer *to, uint32_t number, uint64_t value) {
  if (value == 0) return;
  hermes_put_tag(to, number, HERMES_VARINT);
  hermes_put_varint(to, value);
}

static void hermes_put_chunk(hermes_buffer *to, uint32_t number, hermes_bytes chunk) {
  hermes_put_tag(to, number, HERMES_CHUNK);
  hermes_put_varint(to, chunk.size);
  hermes_add(to, chunk);
}

static void hermes_put_bytes(hermes_buffer *to, uint32_t number, hermes_bytes bytes) {
  if (bytes.size > 0) hermes_put_chunk(to, number, bytes);
}

// hermes_grow makes room for one item more in a list; the room doubles whenever the number of items is a power of two.
static void *hermes_grow(void *at, size_t items, size_t size) {
  if ((items & (items - 1)) != 0) return at;
  uint8_t *larger = hermes_room((items == 0 ? 1 : items * 2) * size);
  for (size_t i = 0; i < items * size; i++) larger[i] = ((uint8_t *)at)[i];
  return larger;
}

// A value of a configuration, of arguments or of a result: google.protobuf.Value; and an object: google.protobuf.Struct.
typedef enum { HERMES_NULL, HERMES_NUMBER, HERMES_STRING, HERMES_BOOL, HERMES_OBJECT, HERMES_LIST } hermes_kind;

typedef struct hermes_value hermes_value;
typedef struct hermes_member hermes_member;

typedef struct {
  hermes_member *at;
  size_t size;
} hermes_struct;

struct hermes_value {
  hermes_kind kind;
  double number;
  bool flag;
  hermes_bytes text;
  hermes_struct object;
  hermes_value *list;
  size_t list_size;
};

struct hermes_member {
  hermes_bytes key;
  hermes_value value;
};

static const hermes_value *hermes_get(const hermes_struct *object, hermes_bytes key) {
  for (size_t i = 0; i < object->size; i++) {
    if (hermes_same(object->at[i].key, key)) return &object->at[i].value;
  }
  return NULL;
}

// hermes_get_text is empty if there is no such text.
static hermes_bytes hermes_get_text(const hermes_struct *object, hermes_bytes key) {
  const hermes_value *value = hermes_get(object, key);
  return value != NULL && value->kind == HERMES_STRING ? value->text : (hermes_bytes){NULL, 0};
}

static void hermes_set(hermes_struct *object, hermes_bytes key, hermes_value value) {
  for (size_t i = 0; i < object->size; i++) {
    if (hermes_same(object->at[i].key, key)) {
      object->at[i].value = value;
      return;
    }
  }
  object->at = hermes_grow(object->at, object->size, sizeof *object->at);
  object->at[object->size++] = (hermes_member){key, value};
}

static bool hermes_read_value(hermes_bytes rest, hermes_value *value, int depth);

static bool hermes_read_struct_at(hermes_bytes rest, hermes_struct *object, int depth) {
  hermes_field f, part;
  if (depth >= 32) return false;
  while (rest.size > 0) {
    if (!hermes_next(&rest, &f)) return false;
    if (f.number != 1 || f.wire != HERMES_CHUNK) continue;
    hermes_bytes entry = f.chunk, key = {NULL, 0};
    hermes_value value = {.kind = HERMES_NULL};
    while (entry.size > 0) {
      if (!hermes_next(&entry, &part)) return false;
      if (part.wire != HERMES_CHUNK) continue;
      if (part.number == 1 && !hermes_text(&part, &key)) return false;
      if (part.number == 2 && !hermes_read_value(part.chunk, &value, depth)) return false;
    }
    hermes_set(object, key, value);
  }
  return true;
}

static bool hermes_read_struct(hermes_bytes rest, hermes_struct *object) { return hermes_read_struct_at(rest, object, 0); }

static bool hermes_read_list(hermes_bytes rest, hermes_value *value, int depth) {
  hermes_field f;
  if (depth >= 32) return false;
  while (rest.size > 0) {
    if (!hermes_next(&rest, &f)) return false;
    if (f.number != 1 || f.wire != HERMES_CHUNK) continue;
    hermes_value item = {.kind = HERMES_NULL};
    if (!hermes_read_value(f.chunk, &item, depth)) return false;
    value->list = hermes_grow(value->list, value->list_size, sizeof *value->list);
    value->list[value->list_size++] = item;
  }
  return true;
}

static bool hermes_read_value(hermes_bytes rest, hermes_value *value, int depth) {
  hermes_field f;
  while (rest.size > 0) {
    if (!hermes_next(&rest, &f)) return false;
    if (f.number == 1 && f.wire == HERMES_VARINT) {
      *value = (hermes_value){.kind = HERMES_NULL};
    } else if (f.number == 2 && f.wire == HERMES_FIXED64) {
      uint64_t bits = 0;
      for (int i = 7; i >= 0; i--) bits = bits << 8 | f.chunk.at[i];
      union {
        uint64_t bits;
        double number;
      } both = {bits};
      *value = (hermes_value){.kind = HERMES_NUMBER, .number = both.number};
    } else if (f.number == 3 && f.wire == HERMES_CHUNK) {
      *value = (hermes_value){.kind = HERMES_STRING};
      if (!hermes_text(&f, &value->text)) return false;
    } else if (f.number == 4 && f.wire == HERMES_VARINT) {
      *value = (hermes_value){.kind = HERMES_BOOL, .flag = f.value != 0};
    } else if (f.number == 5 && f.wire == HERMES_CHUNK) {
      if (value->kind != HERMES_OBJECT) *value = (hermes_value){.kind = HERMES_OBJECT};
      if (!hermes_read_struct_at(f.chunk, &value->object, depth + 1)) return false;
    } else if (f.number == 6 && f.wire == HERMES_CHUNK) {
      if (value->kind != HERMES_LIST) *value = (hermes_value){.kind = HERMES_LIST};
      if (!hermes_read_list(f.chunk, value, depth + 1)) return false;
    }
  }
  return true;
}

static void hermes_append_value(hermes_buffer *to, const hermes_value *value);

static void hermes_append_struct(hermes_buffer *to, const hermes_struct *object) {
  for (size_t i = 0; i < object->size; i++) {
    hermes_buffer entry = {NULL, 0, 0}, value = {NULL, 0, 0};
    hermes_put_chunk(&entry, 1, object->at[i].key);
    hermes_append_value(&value, &object->at[i].value);
    hermes_put_chunk(&entry, 2, hermes_all(value));
    hermes_put_chunk(to, 1, hermes_all(entry));
  }
}

static void hermes_append_value(hermes_buffer *to, const hermes_value *value) {
  hermes_buffer inner = {NULL, 0, 0};
  union {
    double number;
    uint8_t bytes[8];
  } both = {value->number};
  switch (value->kind) {
    case HERMES_NULL:
    case HERMES_BOOL:
      hermes_put_tag(to, value->kind == HERMES_NULL ? 1 : 4, HERMES_VARINT);
      hermes_put_varint(to, value->kind == HERMES_BOOL && value->flag);
      return;
    case HERMES_NUMBER:
      hermes_put_tag(to, 2, HERMES_FIXED64);
      hermes_add(to, (hermes_bytes){both.bytes, 8});
      return;
    case HERMES_STRING: hermes_put_chunk(to, 3, value->text); return;
    case HERMES_OBJECT:
      hermes_append_struct(&inner, &value->object);
      hermes_put_chunk(to, 5, hermes_all(inner));
      return;
    case HERMES_LIST:
      for (size_t i = 0; i < value->list_size; i++) {
        hermes_buffer item = {NULL, 0, 0};
        hermes_append_value(&item, &value->list[i]);
        hermes_put_chunk(&inner, 1, hermes_all(item));
      }
      hermes_put_chunk(to, 6, hermes_all(inner));
  }
}

// A reader of the configuration: the first key that is unknown or has a value that is not possible is an error.
typedef struct {
  hermes_struct object;
  hermes_bytes known[32];
  size_t known_size;
  hermes_bytes error;
} hermes_config;

// hermes_refuse makes hermes_init fail; want says what is possible.
static void hermes_refuse(hermes_config *c, hermes_bytes key, hermes_bytes want) {
  if (c->error.size > 0) return;
  c->error = hermes_join(hermes_join(HERMES_TEXT("configuration: "), key), hermes_join(HERMES_TEXT(": want "), want));
}

static const hermes_value *hermes_config_find(hermes_config *c, hermes_bytes key) {
  if (c->known_size < sizeof c->known / sizeof *c->known) c->known[c->known_size++] = key;
  const hermes_value *value = hermes_get(&c->object, key);
  return value != NULL && value->kind == HERMES_NULL ? NULL : value;
}

static hermes_bytes hermes_config_text(hermes_config *c, hermes_bytes key, hermes_bytes otherwise) {
  const hermes_value *value = hermes_config_find(c, key);
  if (value == NULL) return otherwise;
  if (value->kind == HERMES_STRING) return value->text;
  hermes_refuse(c, key, HERMES_TEXT("a string"));
  return otherwise;
}

static bool hermes_config_flag(hermes_config *c, hermes_bytes key, bool otherwise) {
  const hermes_value *value = hermes_config_find(c, key);
  if (value == NULL) return otherwise;
  if (value->kind == HERMES_BOOL) return value->flag;
  hermes_refuse(c, key, HERMES_TEXT("true or false"));
  return otherwise;
}

// hermes_config_whole reads a number that is not negative.
static uint64_t hermes_config_whole(hermes_config *c, hermes_bytes key, uint64_t otherwise, uint64_t least, uint64_t most) {
  const hermes_value *value = hermes_config_find(c, key);
  if (value == NULL) return otherwise;
  double n = value->number;
  if (value->kind == HERMES_NUMBER && n >= (double)least && n <= (double)most && n == (double)(uint64_t)n) return (uint64_t)n;
  hermes_refuse(c, key, hermes_join(hermes_join(HERMES_TEXT("a whole number from "), hermes_decimal(least)),
                                    hermes_join(HERMES_TEXT(" to "), hermes_decimal(most))));
  return otherwise;
}

// hermes_init_with is the body of hermes_init: read takes the settings out of the configuration.
static int32_t hermes_init_with(void (*read)(hermes_config *)) {
  static hermes_config config;
  int32_t size = hermes_config_read(NULL, 0);
  if (size < 0) return hermes_fail(HERMES_TEXT("config_read failed"));
  uint8_t *bytes = hermes_room((size_t)size);
  if (hermes_config_read(bytes, (uint32_t)size) != size) return hermes_fail(HERMES_TEXT("config_read failed"));
  if (!hermes_read_struct((hermes_bytes){bytes, (size_t)size}, &config.object)) {
    return hermes_fail(HERMES_TEXT("the configuration is not a message of protocol buffers"));
  }
  read(&config);
  if (config.error.size > 0) return hermes_fail(config.error);
  for (size_t i = 0; i < config.object.size; i++) {
    hermes_bytes key = config.object.at[i].key;
    bool known = false;
    for (size_t n = 0; n < config.known_size; n++) known |= hermes_same(config.known[n], key);
    if (!known) return hermes_fail(hermes_join(HERMES_TEXT("configuration: unknown key "), key));
  }
  hermes_begin = hermes_end;
  return HERMES_DECIDED;
}

#define HERMES_INIT(read) \
  HERMES_EXPORT("hermes_init") int32_t hermes_init(void) { return hermes_init_with(read); }

// hermes_open gives back the memory of the last call and reads the event of this one.
static int32_t hermes_open(int32_t len, hermes_bytes *event) {
  hermes_end = hermes_begin;
  uint8_t *bytes = hermes_room((size_t)len);
  *event = (hermes_bytes){bytes, (size_t)len};
  if (hermes_event_read(bytes, (uint32_t)len) == len) return HERMES_DECIDED;
  return hermes_fail(HERMES_TEXT("event_read: the event is not as long as the call said"));
}

static int32_t hermes_malformed(void) { return hermes_fail(HERMES_TEXT("the event is not a message of protocol buffers")); }

static int32_t hermes_close(hermes_buffer verdict) {
  if (hermes_result_write(verdict.at, verdict.size) >= 0) return HERMES_DECIDED;
  return hermes_fail(HERMES_TEXT("result_write failed"));
}

