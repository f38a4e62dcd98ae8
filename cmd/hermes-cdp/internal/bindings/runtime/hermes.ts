// The host's functions. The compiler drops those that a module does not use.
// @ts-ignore: decorator
@external("hermes_v1", "event_read")
declare function eventRead(buf: usize, limit: u32): i32;
// @ts-ignore: decorator
@external("hermes_v1", "result_write")
declare function resultWrite(ptr: usize, len: u32): i32;
// @ts-ignore: decorator
@external("hermes_v1", "error_write")
declare function errorWrite(ptr: usize, len: u32): i32;
// @ts-ignore: decorator
@external("hermes_v1", "config_read")
declare function configRead(buf: usize, limit: u32): i32;
// @ts-ignore: decorator
@external("hermes_v1", "log")
declare function logWrite(level: i32, ptr: usize, len: u32): i32;
// @ts-ignore: decorator
@external("hermes_v1", "state_get")
declare function stateRead(key: usize, keyLen: u32, buf: usize, limit: u32): i32;
// @ts-ignore: decorator
@external("hermes_v1", "kv_get")
declare function kvRead(key: usize, keyLen: u32, buf: usize, limit: u32): i32;
// @ts-ignore: decorator
@external("hermes_v1", "kv_set")
declare function kvWrite(key: usize, keyLen: u32, value: usize, valueLen: u32): i32;
// @ts-ignore: decorator
@external("hermes_v1", "kv_delete")
declare function kvRemove(key: usize, keyLen: u32): i32;
// @ts-ignore: decorator
@external("hermes_v1", "kv_list")
declare function kvKeys(prefix: usize, prefixLen: u32, buf: usize, limit: u32): i32;
// @ts-ignore: decorator
@external("hermes_v1", "kv_set_ttl")
declare function kvWriteTTL(key: usize, keyLen: u32, value: usize, valueLen: u32, ttlMS: i64): i32;
// @ts-ignore: decorator
@external("hermes_v1", "kv_compare_and_set")
declare function kvSwap(key: usize, keyLen: u32, old: usize, oldLen: u32, value: usize, valueLen: u32, ttlMS: i64): i32;

// @ts-ignore: decorator
@external("hermes_v1", "answer_read")
declare function answerRead(buf: usize, limit: u32): i32;

export function hermes_abi_v1(): void {}

// Why there is no verdict, as fail says.
let failure: string | null = null;

// fail makes a hook fail: the host falls back to its own rule. Return what it returns.
export function fail<V>(reason: string): V | null {
  failure = reason;
  return null;
}

function report(reason: string): i32 {
  const text = String.UTF8.encode(reason);
  errorWrite(changetype<usize>(text), text.byteLength);
  return 2;
}

// init is the body of hermes_init: read takes the settings out of the configuration.
export function init(read: (config: Config) => void): i32 {
  let bytes = new Uint8Array(0);
  for (;;) {
    const n = configRead(bytes.dataStart, bytes.length);
    if (n < 0) return report("config_read returned " + n.toString());
    if (n <= bytes.length) break;
    bytes = new Uint8Array(n);
  }
  const object = new Struct();
  const reader = new Reader(bytes.dataStart, bytes.length);
  object.read(reader, 0);
  if (reader.malformed) return report("the configuration is not a message of protocol buffers");
  const config = new Config(object);
  read(config);
  const reason = config.finish();
  if (reason != null) return report(reason);
  return 0;
}

// serve is the body of a hook: decide returns the verdict, null to leave the decision to the next module or the host, or
// what fail returns.
export function serve<E extends Message, V extends Verdict>(len: i32, decide: (event: E) => V | null): i32 {
  __collect(); // what the calls before have left; nothing else of this one is there yet
  const event = instantiate<E>();
  const bytes = new Uint8Array(len);
  if (eventRead(bytes.dataStart, len) != len) return report("event_read: the event is not as long as the call said");
  const reader = new Reader(bytes.dataStart, len);
  event.read(reader);
  if (reader.malformed) return report("the event is not a message of protocol buffers");
  failure = null;
  const verdict = decide(event);
  const reason = failure;
  if (reason != null) return report(reason);
  if (verdict == null) return 1;
  const out = new Writer();
  verdict.append(out);
  const code = resultWrite(out.bytes.dataStart, out.size);
  return code < 0 ? report("result_write returned " + code.toString()) : 0;
}

// log writes a line; the level is 0 debug, 1 info, 2 warn or 3 error.
export function log(level: i32, line: string): void {
  const text = String.UTF8.encode(line);
  logWrite(level, changetype<usize>(text), text.byteLength);
}

// What a function of the embedder answers: the code is 0, or a negative one of docs/abi.md. With -7, FAILED, the bytes are the
// function's reason.
export class Answer {
  constructor(public code: i32, public bytes: Uint8Array) {}
  get text(): string {
    return String.UTF8.decodeUnsafe(this.bytes.dataStart, this.bytes.length);
  }
}

// answered is the answer of a function of the program that embeds the host, whose call returned n. A module declares each one
// with its version, and calls it with a limit of 0:
//   @external("embedder", "lookup_v1")
//   declare function lookup(request: usize, requestLen: u32, buf: usize, limit: u32): i32;
//   const request = String.UTF8.encode(e.origin);
//   const answer = answered(lookup(changetype<usize>(request), request.byteLength, 0, 0));
export function answered(n: i32): Answer {
  const size = n == -7 ? answerRead(0, 0) : n;
  const bytes = new Uint8Array(max(size, 0));
  if (size > 0) answerRead(bytes.dataStart, size);
  return new Answer(min(n, 0), bytes);
}

// The store of the plugin for the task. The result of kvSet and kvDelete is a code of docs/abi.md if it is negative; that of
// kvGet is null if there is none.
export function kvGet(key: string): Uint8Array | null {
  const name = String.UTF8.encode(key);
  let bytes = new Uint8Array(512);
  for (;;) {
    const n = kvRead(changetype<usize>(name), name.byteLength, bytes.dataStart, bytes.length);
    if (n < 0) return null;
    if (n <= bytes.length) return bytes.subarray(0, n);
    bytes = new Uint8Array(n);
  }
}

export function kvSet(key: string, value: string): i32 {
  const name = String.UTF8.encode(key);
  const text = String.UTF8.encode(value);
  return kvWrite(changetype<usize>(name), name.byteLength, changetype<usize>(text), text.byteLength);
}

// kvSetTTL is kvSet for a value that is gone after a time; 0 is for good. An older host answers -5, UNSUPPORTED, if the
// manifest lists kv_set_ttl under optional_imports.
export function kvSetTTL(key: string, value: string, ttlMS: i64): i32 {
  const name = String.UTF8.encode(key);
  const text = String.UTF8.encode(value);
  return kvWriteTTL(changetype<usize>(name), name.byteLength, changetype<usize>(text), text.byteLength, ttlMS);
}

// kvCompareAndSet is kvSetTTL if the value is the old one, or if there is none and old is null; -8 if not.
export function kvCompareAndSet(key: string, old: string | null, value: string, ttlMS: i64): i32 {
  const name = String.UTF8.encode(key);
  const text = String.UTF8.encode(value);
  const expected = String.UTF8.encode(old == null ? "" : old);
  const size: u32 = old == null ? u32.MAX_VALUE : expected.byteLength;
  return kvSwap(
    changetype<usize>(name), name.byteLength, changetype<usize>(expected), size, changetype<usize>(text), text.byteLength, ttlMS,
  );
}

export function kvDelete(key: string): i32 {
  const name = String.UTF8.encode(key);
  return kvRemove(changetype<usize>(name), name.byteLength);
}

export function kvList(prefix: string): string[] {
  const name = String.UTF8.encode(prefix);
  let bytes = new Uint8Array(512);
  for (;;) {
    const n = kvKeys(changetype<usize>(name), name.byteLength, bytes.dataStart, bytes.length);
    if (n < 0) return [];
    if (n <= bytes.length) {
      const list = new KeyList();
      list.read(new Reader(bytes.dataStart, n));
      return list.keys;
    }
    bytes = new Uint8Array(n);
  }
}

// The host's state of the task, JSON; null if there is none.
export function stateGet(key: string): string | null {
  const name = String.UTF8.encode(key);
  let bytes = new Uint8Array(512);
  for (;;) {
    const n = stateRead(changetype<usize>(name), name.byteLength, bytes.dataStart, bytes.length);
    if (n < 0) return null;
    if (n <= bytes.length) return String.UTF8.decodeUnsafe(bytes.dataStart, n);
    bytes = new Uint8Array(n);
  }
}

// matches says whether all of a text is like a pattern: * stands for any text, ? for one character.
export function matches(pattern: string, text: string): bool {
  let p = 0;
  let at = 0;
  let star = -1;
  let tried = 0;
  while (at < text.length) {
    if (p < pattern.length && pattern.charCodeAt(p) == 0x2a) {
      star = ++p;
      tried = at;
    } else if (p < pattern.length && pattern.charCodeAt(p) == 0x3f) {
      p++;
      at += width(text, at);
    } else if (p < pattern.length && pattern.charCodeAt(p) == text.charCodeAt(at)) {
      p++;
      at++;
    } else if (star >= 0) {
      p = star;
      tried += width(text, tried);
      at = tried;
    } else {
      return false;
    }
  }
  while (p < pattern.length && pattern.charCodeAt(p) == 0x2a) p++;
  return p == pattern.length;
}

// A character beyond U+FFFF is two units of a string.
function width(text: string, at: i32): i32 {
  const unit = text.charCodeAt(at);
  return unit >= 0xd800 && unit < 0xdc00 ? 2 : 1;
}

// Config reads a configuration strictly: the first key that is unknown or has a value that is not possible is an error.
export class Config {
  private known: string[] = [];
  private error: string | null = null;

  constructor(private object: Struct) {}

  private find(key: string): Value | null {
    this.known.push(key);
    const value = this.object.get(key);
    return value == null || value.kind == Kind.NULL ? null : value;
  }

  // refuse makes hermes_init fail; want says what is possible.
  refuse(key: string, want: string): void {
    if (this.error == null) this.error = "configuration: " + key + ": want " + want;
  }

  text(key: string, otherwise: string): string {
    const value = this.find(key);
    if (value == null) return otherwise;
    if (value.kind == Kind.TEXT) return value.text;
    this.refuse(key, "a string");
    return otherwise;
  }

  oneOf(key: string, otherwise: string, allowed: string[]): string {
    const text = this.text(key, otherwise);
    if (!allowed.includes(text)) this.refuse(key, allowed.join(" or "));
    return text;
  }

  flag(key: string, otherwise: bool): bool {
    const value = this.find(key);
    if (value == null) return otherwise;
    if (value.kind == Kind.BOOL) return value.flag;
    this.refuse(key, "true or false");
    return otherwise;
  }

  whole(key: string, otherwise: i64, least: i64, most: i64): i64 {
    const value = this.find(key);
    if (value == null) return otherwise;
    const n = value.number;
    if (value.kind == Kind.NUMBER && n >= <f64>least && n <= <f64>most && n == Math.floor(n)) return <i64>n;
    this.refuse(key, "a whole number from " + least.toString() + " to " + most.toString());
    return otherwise;
  }

  finish(): string | null {
    if (this.error != null) return this.error;
    for (let i = 0; i < this.object.keys.length; i++) {
      const key = this.object.keys[i];
      if (!this.known.includes(key)) return 'configuration: unknown key "' + key + '"; known are ' + this.known.join(", ");
    }
    return null;
  }
}

export enum Kind { NULL, NUMBER, TEXT, BOOL, OBJECT, LIST }

// A value of a configuration, of arguments or of a result: google.protobuf.Value.
export class Value {
  kind: Kind = Kind.NULL;
  number: f64 = 0;
  text: string = "";
  flag: bool = false;
  object: Struct | null = null;
  list: Value[] | null = null;

  static ofText(text: string): Value {
    const value = new Value();
    value.kind = Kind.TEXT;
    value.text = text;
    return value;
  }

  static ofNumber(number: f64): Value {
    const value = new Value();
    value.kind = Kind.NUMBER;
    value.number = number;
    return value;
  }

  static ofBool(flag: bool): Value {
    const value = new Value();
    value.kind = Kind.BOOL;
    value.flag = flag;
    return value;
  }

  static ofObject(object: Struct): Value {
    const value = new Value();
    value.kind = Kind.OBJECT;
    value.object = object;
    return value;
  }

  static ofList(list: Value[]): Value {
    const value = new Value();
    value.kind = Kind.LIST;
    value.list = list;
    return value;
  }

  read(r: Reader, depth: i32): void {
    while (r.next()) {
      if (r.number == 1 && r.wire == VARINT) {
        this.kind = Kind.NULL;
      } else if (r.number == 2 && r.wire == FIXED64) {
        this.kind = Kind.NUMBER;
        this.number = load<f64>(r.chunk);
      } else if (r.number == 3 && r.wire == CHUNK) {
        this.kind = Kind.TEXT;
        this.text = r.text();
      } else if (r.number == 4 && r.wire == VARINT) {
        this.kind = Kind.BOOL;
        this.flag = r.value != 0;
      } else if (r.number == 5 && r.wire == CHUNK) {
        let object = this.object;
        if (this.kind != Kind.OBJECT || object == null) object = new Struct();
        this.kind = Kind.OBJECT;
        this.object = object;
        const inner = r.inner();
        object.read(inner, depth + 1);
        r.after(inner);
      } else if (r.number == 6 && r.wire == CHUNK) {
        let list = this.list;
        if (this.kind != Kind.LIST || list == null) list = [];
        this.kind = Kind.LIST;
        this.list = list;
        const inner = r.inner();
        if (depth + 1 >= 32) inner.malformed = true;
        while (inner.next()) {
          if (inner.number != 1 || inner.wire != CHUNK) continue;
          const item = new Value();
          const each = inner.inner();
          item.read(each, depth + 1);
          inner.after(each);
          list.push(item);
        }
        r.after(inner);
      }
    }
  }

  append(w: Writer): void {
    const inner = new Writer();
    if (this.kind == Kind.NULL) {
      w.number(1, 0, true);
    } else if (this.kind == Kind.NUMBER) {
      w.double(2, this.number);
    } else if (this.kind == Kind.TEXT) {
      w.text(3, this.text, true);
    } else if (this.kind == Kind.BOOL) {
      w.number(4, this.flag ? 1 : 0, true);
    } else if (this.kind == Kind.OBJECT) {
      const object = this.object;
      if (object != null) object.append(inner);
      w.message(5, inner);
    } else {
      const list = this.list;
      if (list != null) {
        for (let i = 0; i < list.length; i++) {
          const item = new Writer();
          list[i].append(item);
          inner.message(1, item);
        }
      }
      w.message(6, inner);
    }
  }
}

// An object: google.protobuf.Struct.
export class Struct {
  keys: string[] = [];
  values: Value[] = [];

  get(key: string): Value | null {
    const at = this.keys.indexOf(key);
    return at < 0 ? null : this.values[at];
  }

  getText(key: string): string | null {
    const value = this.get(key);
    return value == null || value.kind != Kind.TEXT ? null : value.text;
  }

  set(key: string, value: Value): void {
    const at = this.keys.indexOf(key);
    if (at < 0) {
      this.keys.push(key);
      this.values.push(value);
    } else {
      this.values[at] = value;
    }
  }

  read(r: Reader, depth: i32): void {
    if (depth >= 32) r.malformed = true;
    while (r.next()) {
      if (r.number != 1 || r.wire != CHUNK) continue;
      let key = "";
      const value = new Value();
      const entry = r.inner();
      while (entry.next()) {
        if (entry.wire != CHUNK) continue;
        if (entry.number == 1) {
          key = entry.text();
        } else if (entry.number == 2) {
          const inner = entry.inner();
          value.read(inner, depth);
          entry.after(inner);
        }
      }
      r.after(entry);
      this.set(key, value);
    }
  }

  append(w: Writer): void {
    for (let i = 0; i < this.keys.length; i++) {
      const entry = new Writer();
      entry.text(1, this.keys[i], true);
      const value = new Writer();
      this.values[i].append(value);
      entry.message(2, value);
      w.message(1, entry);
    }
  }
}

// Message is what the host sends.
export abstract class Message {
  abstract read(r: Reader): void;
}

// Verdict is what the host gets; that of a hook without one is Nothing.
export abstract class Verdict {
  abstract append(w: Writer): void;
}

export class Nothing extends Verdict {
  append(w: Writer): void {}
}

const VARINT: u32 = 0;
const FIXED64: u32 = 1;
const CHUNK: u32 = 2;
const FIXED32: u32 = 5;

// Reader reads a message field by field. After next returns false, malformed says whether the message is malformed or has
// ended.
export class Reader {
  number: u64 = 0;
  wire: u32 = 0;
  value: u64 = 0;
  chunk: usize = 0;
  size: u32 = 0;
  malformed: bool = false;
  private end: usize;

  constructor(private at: usize, size: u32) {
    this.end = at + size;
  }

  next(): bool {
    if (this.malformed || this.at == this.end) return false;
    this.malformed = !this.field();
    return !this.malformed;
  }

  // inner reads the message in the field; after takes over whether it was malformed.
  inner(): Reader {
    return new Reader(this.chunk, this.size);
  }

  after(inner: Reader): void {
    if (inner.malformed) this.malformed = true;
  }

  text(): string {
    if (!isUTF8(this.chunk, this.size)) {
      this.malformed = true;
      return "";
    }
    return String.UTF8.decodeUnsafe(this.chunk, this.size);
  }

  bytes(): Uint8Array {
    const copy = new Uint8Array(this.size);
    memory.copy(copy.dataStart, this.chunk, this.size);
    return copy;
  }

  private field(): bool {
    if (!this.varint()) return false;
    this.number = this.value >> 3;
    this.wire = <u32>(this.value & 7);
    if (this.number == 0 || this.number > 0x1fffffff) return false;
    switch (this.wire) {
      case VARINT: return this.varint();
      case CHUNK: return this.varint() && this.take(this.value);
      case FIXED64: return this.take(8);
      case FIXED32: return this.take(4);
      default: return false; // groups, and unknown wire types
    }
  }

  private varint(): bool {
    this.value = 0;
    for (let shift: u64 = 0; shift < 70 && this.at < this.end; shift += 7) {
      const byte = load<u8>(this.at++);
      if (shift == 63 && byte > 1) return false;
      this.value |= <u64>(byte & 0x7f) << shift;
      if (byte < 0x80) return true;
    }
    return false;
  }

  private take(size: u64): bool {
    if (size > <u64>(this.end - this.at)) return false;
    this.chunk = this.at;
    this.size = <u32>size;
    this.at += <usize>size;
    return true;
  }
}

function isUTF8(text: usize, size: u32): bool {
  const end = text + size;
  while (text < end) {
    const first: u32 = load<u8>(text++);
    if (first < 0x80) continue;
    const more: u32 = first >= 0xf0 ? 3 : first >= 0xe0 ? 2 : 1;
    if (first < 0xc2 || first > 0xf4 || end - text < more) return false;
    const low: u32 = first == 0xe0 ? 0xa0 : first == 0xf0 ? 0x90 : 0x80; // below this there is a shorter encoding
    const high: u32 = first == 0xed ? 0x9f : first == 0xf4 ? 0x8f : 0xbf; // above this are surrogates, or nothing
    for (let i: u32 = 0; i < more; i++) {
      const byte: u32 = load<u8>(text++);
      if (byte < (i == 0 ? low : 0x80) || byte > (i == 0 ? high : 0xbf)) return false;
    }
  }
  return true;
}

// Writer writes a message. A number that is 0 and a text that is empty are not written, unless always is set.
export class Writer {
  bytes: Uint8Array = new Uint8Array(256);
  size: i32 = 0;

  private room(more: i32): void {
    if (this.size + more <= this.bytes.length) return;
    const larger = new Uint8Array(max(this.bytes.length * 2, this.size + more));
    memory.copy(larger.dataStart, this.bytes.dataStart, this.size);
    this.bytes = larger;
  }

  varint(value: u64): void {
    this.room(10);
    for (; value >= 0x80; value >>= 7) store<u8>(this.bytes.dataStart + this.size++, <u8>(value | 0x80));
    store<u8>(this.bytes.dataStart + this.size++, <u8>value);
  }

  private raw(at: usize, size: i32): void {
    this.room(size);
    memory.copy(this.bytes.dataStart + this.size, at, size);
    this.size += size;
  }

  number(field: u64, value: u64, always: bool = false): void {
    if (value == 0 && !always) return;
    this.varint((field << 3) | VARINT);
    this.varint(value);
  }

  double(field: u64, value: f64): void {
    this.varint((field << 3) | FIXED64);
    this.room(8);
    store<f64>(this.bytes.dataStart + this.size, value);
    this.size += 8;
  }

  text(field: u64, text: string, always: bool = false): void {
    const encoded = String.UTF8.encode(text);
    if (encoded.byteLength == 0 && !always) return;
    this.varint((field << 3) | CHUNK);
    this.varint(encoded.byteLength);
    this.raw(changetype<usize>(encoded), encoded.byteLength);
  }

  chunk(field: u64, bytes: Uint8Array): void {
    if (bytes.length == 0) return;
    this.varint((field << 3) | CHUNK);
    this.varint(bytes.length);
    this.raw(bytes.dataStart, bytes.length);
  }

  message(field: u64, inner: Writer): void {
    this.varint((field << 3) | CHUNK);
    this.varint(inner.size);
    this.raw(inner.bytes.dataStart, inner.size);
  }
}
