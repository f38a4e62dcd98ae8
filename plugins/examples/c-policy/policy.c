// A dialog policy in C: it accepts an alert, dismisses a confirm or prompt whose message has a word, even if an agent armed
// an answer before, and leaves the rest to the next plugin or the host. The word is the key dismiss_word of a task's own
// settings or else of the configuration; the default is "delete".
#include "hermes.h"

// The numbers of the fields in abi/hermes.proto, and of google.protobuf.Struct.
enum { EVENT_HEADER = 1, EVENT_TYPE = 3, EVENT_MESSAGE = 4, HEADER_TASK_CONFIG = 6 };
enum { VERDICT_ACTION = 1, VERDICT_RULE = 4, VERDICT_FINAL = 5 };
enum { STRUCT_FIELDS = 1, ENTRY_KEY = 1, ENTRY_VALUE = 2, VALUE_STRING = 3, VALUE_LAST = 6 };
enum { TYPE_ALERT = 1, TYPE_CONFIRM = 2, TYPE_PROMPT = 3 };
enum { ACTION_ACCEPT = 2, ACTION_DISMISS = 3 };

enum { MAX_EVENT = 256 << 10, MAX_CONFIG = 4 << 10, MAX_WORD = 64 };

// configured is the word from the configuration, set by hermes_init. Nothing else is kept between calls.
static struct {
  uint8_t bytes[MAX_WORD];
  size_t size;
} configured;

static uint8_t event_bytes[MAX_EVENT];

// fail writes a reason of up to three parts.
static int32_t fail(hermes_bytes a, hermes_bytes b, hermes_bytes c) {
  hermes_buffer reason = {.size = 0};
  hermes_put(&reason, a);
  hermes_put(&reason, b);
  hermes_put(&reason, c);
  hermes_error_write(reason.bytes, reason.size);
  return HERMES_ERROR;
}

static const hermes_bytes nothing = {NULL, 0};

static int32_t fail_malformed(hermes_bytes what) {
  return fail(what, HERMES_TEXT(" is not a message of protocol buffers"), nothing);
}

// read_entry reads a member of the configuration. The kind of a value is the number of the field that it is in.
static bool read_entry(hermes_bytes rest, hermes_bytes *key, uint64_t *kind, hermes_bytes *text) {
  hermes_field f;
  *key = *text = nothing;
  *kind = 0;
  while (rest.size > 0) {
    if (!hermes_next(&rest, &f)) return false;
    if (f.wire != HERMES_CHUNK) continue;
    if (f.number == ENTRY_KEY) {
      if (!hermes_is_utf8(f.chunk)) return false;
      *key = f.chunk;
    }
    if (f.number != ENTRY_VALUE) continue;
    hermes_bytes value = f.chunk;
    while (value.size > 0) {
      if (!hermes_next(&value, &f)) return false;
      if (f.number > VALUE_LAST) continue;
      *kind = f.number;
      *text = f.number == VALUE_STRING && f.wire == HERMES_CHUNK ? f.chunk : nothing;
      if (!hermes_is_utf8(*text)) return false;
    }
  }
  return true;
}

// read_settings replaces word where the settings have the key. It returns HERMES_DECIDED, or what fail returned.
static int32_t read_settings(hermes_bytes what, hermes_bytes rest, hermes_bytes *word) {
  hermes_field f;
  hermes_bytes key, text;
  uint64_t kind;
  while (rest.size > 0) {
    if (!hermes_next(&rest, &f)) return fail_malformed(what);
    if (f.number != STRUCT_FIELDS || f.wire != HERMES_CHUNK) continue;
    if (!read_entry(f.chunk, &key, &kind, &text)) return fail_malformed(what);
    if (!hermes_same(key, HERMES_TEXT("dismiss_word"))) {
      return fail(what, HERMES_TEXT(": the only key is dismiss_word; there is also "), key);
    }
    if (kind != VALUE_STRING || text.size == 0 || text.size > MAX_WORD) {
      return fail(what, HERMES_TEXT(": dismiss_word must be a text of 1 to 64 bytes"), nothing);
    }
    *word = text;
  }
  return HERMES_DECIDED;
}

static uint8_t lower(uint8_t c) { return c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c; }

// contains ignores the case of ASCII letters.
static bool contains(hermes_bytes text, hermes_bytes word) {
  for (size_t start = 0; start + word.size <= text.size; start++) {
    size_t n = 0;
    while (n < word.size && lower(text.at[start + n]) == lower(word.at[n])) n++;
    if (n == word.size) return true;
  }
  return false;
}

// decide writes a verdict. A final one overrides an answer that an agent gave in advance.
static int32_t decide(uint64_t action, hermes_bytes rule, bool final) {
  hermes_buffer verdict = {.size = 0};
  hermes_put_field(&verdict, VERDICT_ACTION, action);
  hermes_put_text(&verdict, VERDICT_RULE, rule);
  hermes_put_field(&verdict, VERDICT_FINAL, final);
  if (hermes_result_write(verdict.bytes, verdict.size) < 0) return fail(HERMES_TEXT("result_write failed"), nothing, nothing);
  return HERMES_DECIDED;
}

// read_header reads the task's settings. A header that occurs twice is merged, and so are its settings.
static int32_t read_header(hermes_bytes rest, hermes_bytes *word) {
  hermes_field f;
  while (rest.size > 0) {
    if (!hermes_next(&rest, &f)) return fail_malformed(HERMES_TEXT("event"));
    if (f.number != HEADER_TASK_CONFIG || f.wire != HERMES_CHUNK) continue;
    int32_t status = read_settings(HERMES_TEXT("task configuration"), f.chunk, word);
    if (status != HERMES_DECIDED) return status;
  }
  return HERMES_DECIDED;
}

HERMES_EXPORT("hermes_abi_v1") void hermes_abi_v1(void) {}

HERMES_EXPORT("hermes_init") int32_t hermes_init(void) {
  static uint8_t config[MAX_CONFIG];
  int32_t size = hermes_config_read(config, sizeof config);
  if (size < 0) return fail(HERMES_TEXT("config_read failed"), nothing, nothing);
  if ((size_t)size > sizeof config) return fail(HERMES_TEXT("configuration: it is over 4 KiB"), nothing, nothing);
  hermes_bytes word = HERMES_TEXT("delete");
  int32_t status = read_settings(HERMES_TEXT("configuration"), (hermes_bytes){config, (size_t)size}, &word);
  for (size_t i = 0; i < word.size; i++) configured.bytes[i] = word.at[i];
  configured.size = word.size;
  return status;
}

HERMES_EXPORT("hermes_on_dialog") int32_t hermes_on_dialog(int32_t len) {
  if (hermes_event_read(event_bytes, sizeof event_bytes) != len || (size_t)len > sizeof event_bytes) {
    return fail(HERMES_TEXT("event: it is over 256 KiB, or event_read failed"), nothing, nothing);
  }
  hermes_bytes rest = {event_bytes, (size_t)len}, message = nothing, word = {configured.bytes, configured.size};
  uint64_t type = 0;
  hermes_field f;
  while (rest.size > 0) {
    if (!hermes_next(&rest, &f)) return fail_malformed(HERMES_TEXT("event"));
    if (f.number == EVENT_HEADER && f.wire == HERMES_CHUNK) {
      int32_t status = read_header(f.chunk, &word);
      if (status != HERMES_DECIDED) return status;
    }
    if (f.number == EVENT_TYPE && f.wire == HERMES_VARINT) type = f.value;
    if (f.number == EVENT_MESSAGE && f.wire == HERMES_CHUNK) message = f.chunk;
  }
  if (!hermes_is_utf8(message)) return fail_malformed(HERMES_TEXT("event"));
  if (type == TYPE_ALERT) return decide(ACTION_ACCEPT, HERMES_TEXT("alerts"), false);
  if ((type == TYPE_CONFIRM || type == TYPE_PROMPT) && contains(message, word)) {
    return decide(ACTION_DISMISS, HERMES_TEXT("dismiss_word"), true);
  }
  return HERMES_ABSTAIN;
}
