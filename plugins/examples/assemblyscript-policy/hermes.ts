// The part of the ABI of hermes-cdp plugins that a dialog policy in AssemblyScript needs: the host's functions, and a reader
// and a writer of protocol buffers. docs/abi.md and abi/hermes.proto specify it. Nothing here allocates during a call, so the
// memory of an instance does not grow.

// What a hook returns.
export const DECIDED: i32 = 0;
export const ABSTAIN: i32 = 1;
export const ERROR: i32 = 2;

// The host's functions return a length, or a negative code.
// @ts-ignore: decorator
@external("hermes_v1", "event_read")
export declare function eventRead(buf: usize, limit: u32): i32;
// @ts-ignore: decorator
@external("hermes_v1", "config_read")
export declare function configRead(buf: usize, limit: u32): i32;
// @ts-ignore: decorator
@external("hermes_v1", "result_write")
declare function resultWrite(ptr: usize, len: u32): i32;
// @ts-ignore: decorator
@external("hermes_v1", "error_write")
declare function errorWrite(ptr: usize, len: u32): i32;

// The wire types.
export const VARINT: u32 = 0;
export const FIXED64: u32 = 1;
export const CHUNK: u32 = 2;
export const FIXED32: u32 = 5;

// Reader reads a message field by field. After next returns true, number and wire say which field it is, value is that of a
// varint, and chunk and size are the content of a string or an embedded message. Ignore fields whose number you do not know,
// or whose wire type is not that of the schema. After next returns false, malformed says whether the message is malformed or
// has ended.
export class Reader {
  number: u64 = 0;
  wire: u32 = 0;
  value: u64 = 0;
  chunk: usize = 0;
  size: u32 = 0;
  malformed: bool = false;
  private at: usize = 0;
  private end: usize = 0;

  // open starts with a message of size bytes.
  open(message: usize, size: u32): void {
    this.at = message;
    this.end = message + size;
    this.malformed = false;
  }

  next(): bool {
    if (this.malformed || this.at == this.end) return false;
    this.malformed = !this.field();
    return !this.malformed;
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

// isUTF8 reports whether a text is valid UTF-8, as the strings of a message must be.
export function isUTF8(text: usize, size: u32): bool {
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

// is reports whether a text is a literal, which must be ASCII.
export function is(text: usize, size: u32, literal: string): bool {
  if (size != <u32>literal.length) return false;
  for (let i: u32 = 0; i < size; i++) {
    if (load<u8>(text + i) != <u8>literal.charCodeAt(i)) return false;
  }
  return true;
}

// A buffer for an error or a verdict. What does not fit is cut off.
const OUT_BYTES: u32 = 1024;
const out: usize = memory.data(<i32>OUT_BYTES);
let outSize: u32 = 0;

function putByte(byte: u8): void {
  if (outSize < OUT_BYTES) store<u8>(out + outSize++, byte);
}

function putLiteral(literal: string): void {
  for (let i = 0; i < literal.length; i++) putByte(<u8>literal.charCodeAt(i));
}

function putVarint(value: u64): void {
  for (; value >= 0x80; value >>= 7) putByte(<u8>(value | 0x80));
  putByte(<u8>value);
}

// fail writes why there is no verdict: two literals, which must be ASCII, and a text.
export function fail(a: string, b: string, text: usize = 0, size: u32 = 0): i32 {
  outSize = 0;
  putLiteral(a);
  putLiteral(b);
  for (let i: u32 = 0; i < size; i++) putByte(load<u8>(text + i));
  errorWrite(out, outSize);
  return ERROR;
}

// decide writes a DialogVerdict: its action, which is not 0, and its rule, which must be ASCII and not empty. A final one
// overrides an answer that an agent gave in advance.
export function decide(action: u64, rule: string, final: bool = false): i32 {
  outSize = 0;
  putVarint((1 << 3) | VARINT);
  putVarint(action);
  putVarint((4 << 3) | CHUNK);
  putVarint(rule.length);
  putLiteral(rule);
  if (final) {
    putVarint((5 << 3) | VARINT);
    putVarint(1);
  }
  if (resultWrite(out, outSize) < 0) return fail("result_write failed", "");
  return DECIDED;
}
