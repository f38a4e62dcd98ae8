// A dialog policy in AssemblyScript: it accepts an alert, dismisses a confirm or prompt whose message has a word, even if an
// agent armed an answer before, and leaves the rest to the next plugin or the host. The word is the key dismiss_word of a
// task's own settings or else of the configuration; the default is "delete".
import { ABSTAIN, CHUNK, DECIDED, Reader, VARINT, configRead, decide, eventRead, fail, is, isUTF8 } from "./hermes";

// The numbers of the fields in abi/hermes.proto, and of google.protobuf.Struct.
const EVENT_HEADER: u64 = 1;
const EVENT_TYPE: u64 = 3;
const EVENT_MESSAGE: u64 = 4;
const HEADER_TASK_CONFIG: u64 = 6;
const STRUCT_FIELDS: u64 = 1;
const ENTRY_KEY: u64 = 1;
const ENTRY_VALUE: u64 = 2;
const VALUE_STRING: u64 = 3;
const VALUE_LAST: u64 = 6;

const TYPE_ALERT: u64 = 1;
const TYPE_CONFIRM: u64 = 2;
const TYPE_PROMPT: u64 = 3;
const ACTION_ACCEPT: u64 = 2;
const ACTION_DISMISS: u64 = 3;

const MAX_EVENT: u32 = 256 << 10;
const MAX_CONFIG: u32 = 4 << 10;
const MAX_WORD: u32 = 64;

const NOT_A_MESSAGE = " is not a message of protocol buffers";

const eventBytes: usize = memory.data(256 << 10);
const configBytes: usize = memory.data(4 << 10);

// The word from the configuration, set by hermes_init. Nothing else is kept between calls.
const DEFAULT_WORD = "delete";
const configured: usize = memory.data(64);
let configuredSize: u32 = 0;

// The word for this call.
let word: usize = 0;
let wordSize: u32 = 0;

// One reader for each level of nesting, so that a call allocates nothing.
const event = new Reader();
const header = new Reader();
const settings = new Reader();
const entry = new Reader();
const value = new Reader();

// What readEntry found. The kind of a value is the number of the field that it is in.
let key: usize = 0;
let keySize: u32 = 0;
let kind: u64 = 0;
let text: usize = 0;
let textSize: u32 = 0;

function readEntry(at: usize, size: u32): bool {
  keySize = 0;
  textSize = 0;
  kind = 0;
  entry.open(at, size);
  while (entry.next()) {
    if (entry.wire != CHUNK) continue;
    if (entry.number == ENTRY_KEY) {
      key = entry.chunk;
      keySize = entry.size;
      if (!isUTF8(key, keySize)) return false;
    } else if (entry.number == ENTRY_VALUE && !readValue(entry.chunk, entry.size)) {
      return false;
    }
  }
  return !entry.malformed;
}

function readValue(at: usize, size: u32): bool {
  value.open(at, size);
  while (value.next()) {
    if (value.number > VALUE_LAST) continue;
    kind = value.number;
    textSize = 0;
    if (kind != VALUE_STRING || value.wire != CHUNK) continue;
    text = value.chunk;
    textSize = value.size;
    if (!isUTF8(text, textSize)) return false;
  }
  return !value.malformed;
}

// readSettings replaces the word where the settings have the key. It returns DECIDED, or what fail returned.
function readSettings(what: string, at: usize, size: u32): i32 {
  settings.open(at, size);
  while (settings.next()) {
    if (settings.number != STRUCT_FIELDS || settings.wire != CHUNK) continue;
    if (!readEntry(settings.chunk, settings.size)) return fail(what, NOT_A_MESSAGE);
    if (!is(key, keySize, "dismiss_word")) {
      return fail(what, ": the only key is dismiss_word; there is also ", key, keySize);
    }
    if (kind != VALUE_STRING || textSize == 0 || textSize > MAX_WORD) {
      return fail(what, ": dismiss_word must be a text of 1 to 64 bytes");
    }
    word = text;
    wordSize = textSize;
  }
  return settings.malformed ? fail(what, NOT_A_MESSAGE) : DECIDED;
}

// readHeader reads the task's settings. A header that occurs twice is merged, and so are its settings.
function readHeader(at: usize, size: u32): i32 {
  header.open(at, size);
  while (header.next()) {
    if (header.number != HEADER_TASK_CONFIG || header.wire != CHUNK) continue;
    const status = readSettings("task configuration", header.chunk, header.size);
    if (status != DECIDED) return status;
  }
  return header.malformed ? fail("event", NOT_A_MESSAGE) : DECIDED;
}

function lower(c: u8): u8 {
  return c >= 0x41 && c <= 0x5a ? c + 0x20 : c;
}

// contains ignores the case of ASCII letters.
function contains(message: usize, size: u32): bool {
  for (let start: u32 = 0; start + wordSize <= size; start++) {
    let n: u32 = 0;
    while (n < wordSize && lower(load<u8>(message + start + n)) == lower(load<u8>(word + n))) n++;
    if (n == wordSize) return true;
  }
  return false;
}

export function hermes_abi_v1(): void {}

export function hermes_init(): i32 {
  const size = configRead(configBytes, MAX_CONFIG);
  if (size < 0) return fail("config_read failed", "");
  if (<u32>size > MAX_CONFIG) return fail("configuration", ": it is over 4 KiB");
  wordSize = 0;
  const status = readSettings("configuration", configBytes, <u32>size);
  if (status != DECIDED) return status;
  configuredSize = wordSize;
  memory.copy(configured, word, wordSize);
  if (wordSize == 0) {
    configuredSize = DEFAULT_WORD.length;
    for (let i: u32 = 0; i < configuredSize; i++) store<u8>(configured + i, <u8>DEFAULT_WORD.charCodeAt(i));
  }
  return DECIDED;
}

export function hermes_on_dialog(len: i32): i32 {
  if (eventRead(eventBytes, MAX_EVENT) != len || <u32>len > MAX_EVENT) {
    return fail("event", ": it is over 256 KiB, or event_read failed");
  }
  word = configured;
  wordSize = configuredSize;
  let type: u64 = 0;
  let message: usize = 0;
  let size: u32 = 0;
  event.open(eventBytes, <u32>len);
  while (event.next()) {
    if (event.number == EVENT_HEADER && event.wire == CHUNK) {
      const status = readHeader(event.chunk, event.size);
      if (status != DECIDED) return status;
    } else if (event.number == EVENT_TYPE && event.wire == VARINT) {
      type = event.value;
    } else if (event.number == EVENT_MESSAGE && event.wire == CHUNK) {
      message = event.chunk;
      size = event.size;
    }
  }
  if (event.malformed || !isUTF8(message, size)) return fail("event", NOT_A_MESSAGE);
  if (type == TYPE_ALERT) return decide(ACTION_ACCEPT, "alerts");
  if ((type == TYPE_CONFIRM || type == TYPE_PROMPT) && contains(message, size)) {
    return decide(ACTION_DISMISS, "dismiss_word", true);
  }
  return ABSTAIN;
}
