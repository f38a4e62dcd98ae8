// The host's functions. The linker drops those that a module does not use.
extern "hermes_v1" fn event_read(buf: ?[*]u8, limit: u32) i32;
extern "hermes_v1" fn result_write(ptr: ?[*]const u8, len: u32) i32;
extern "hermes_v1" fn error_write(ptr: [*]const u8, len: u32) i32;
extern "hermes_v1" fn config_read(buf: ?[*]u8, limit: u32) i32;
extern "hermes_v1" fn log(level: i32, ptr: [*]const u8, len: u32) i32;
extern "hermes_v1" fn state_get(key: [*]const u8, key_len: u32, buf: ?[*]u8, limit: u32) i32;
extern "hermes_v1" fn kv_get(key: [*]const u8, key_len: u32, buf: ?[*]u8, limit: u32) i32;
extern "hermes_v1" fn kv_set(key: [*]const u8, key_len: u32, value: [*]const u8, value_len: u32) i32;
extern "hermes_v1" fn kv_delete(key: [*]const u8, key_len: u32) i32;
extern "hermes_v1" fn kv_list(prefix: [*]const u8, prefix_len: u32, buf: ?[*]u8, limit: u32) i32;
extern "hermes_v1" fn kv_set_ttl(key: [*]const u8, key_len: u32, value: [*]const u8, value_len: u32, ttl_ms: i64) i32;
extern "hermes_v1" fn kv_compare_and_set(key: [*]const u8, key_len: u32, old: ?[*]const u8, old_len: u32, value: [*]const u8, value_len: u32, ttl_ms: i64) i32;

extern "hermes_v1" fn answer_read(buf: ?[*]u8, limit: u32) i32;

export fn hermes_abi_v1() void {}

/// What a hook decides.
pub fn Decision(comptime V: type) type {
    return union(enum) {
        verdict: V,
        /// The next module decides, or the host.
        abstain,
        /// Why there is no verdict: the host falls back to its own rule.
        fail: []const u8,
    };
}

/// The verdict of a hook without one.
pub const Nothing = struct {
    fn append(_: *const Nothing, _: *Buffer) void {}
};

// Memory is taken from the end of what is in use and given back all at once, when the next call begins. What hermes_init has
// taken stays.
var begin: usize = 0;
var end: usize = 0;

/// room is memory until the call ends.
pub fn room(comptime T: type, n: usize) []T {
    if (begin == 0) {
        begin = @wasmMemorySize(0) << 16;
        end = begin;
    }
    const start = (end + 7) & ~@as(usize, 7);
    const have: usize = @as(usize, @wasmMemorySize(0)) << 16;
    const size = n * @sizeOf(T);
    if (size > 0x7fffffff - start) @trap();
    if (start + size > have) {
        if (@wasmMemoryGrow(0, (start + size - have + 0xffff) >> 16) == -1) @trap();
    }
    end = start + size;
    const at: [*]T = @ptrFromInt(start);
    return at[0..n];
}

/// add is a list with one item more; the room doubles whenever the number of items is a power of two.
pub fn add(comptime T: type, list: []const T, item: T) []const T {
    const n = list.len;
    if (n & (n -% 1) == 0) {
        const larger = room(T, if (n == 0) 1 else n * 2);
        for (list, 0..) |old, i| larger[i] = old;
        larger[n] = item;
        return larger.ptr[0 .. n + 1];
    }
    const at: [*]T = @constCast(list.ptr);
    at[n] = item;
    return at[0 .. n + 1];
}

pub fn same(a: []const u8, b: []const u8) bool {
    if (a.len != b.len) return false;
    for (a, 0..) |byte, i| {
        if (byte != b[i]) return false;
    }
    return true;
}

/// find is where a text contains another.
pub fn find(text: []const u8, part: []const u8) ?usize {
    var start: usize = 0;
    while (start + part.len <= text.len) : (start += 1) {
        if (same(text[start .. start + part.len], part)) return start;
    }
    return null;
}

/// join puts texts together.
pub fn join(parts: []const []const u8) []const u8 {
    var out = Buffer{};
    for (parts) |part| out.bytes(part);
    return out.all();
}

pub fn decimal(n: u64) []const u8 {
    const digits = room(u8, 20);
    var at: usize = 20;
    var rest = n;
    while (true) {
        at -= 1;
        digits[at] = '0' + @as(u8, @intCast(rest % 10));
        rest /= 10;
        if (rest == 0) return digits[at..];
    }
}

fn width(text: []const u8, at: usize) usize {
    var n: usize = 1;
    while (at + n < text.len and text[at + n] & 0xc0 == 0x80) n += 1;
    return n;
}

/// matches says whether all of a text is like a pattern: * stands for any text, ? for one character.
pub fn matches(pattern: []const u8, text: []const u8) bool {
    var p: usize = 0;
    var at: usize = 0;
    var star: ?usize = null;
    var tried: usize = 0;
    while (at < text.len) {
        if (p < pattern.len and pattern[p] == '*') {
            p += 1;
            star = p;
            tried = at;
        } else if (p < pattern.len and pattern[p] == '?') {
            p += 1;
            at += width(text, at);
        } else if (p < pattern.len and pattern[p] == text[at]) {
            p += 1;
            at += 1;
        } else if (star) |after| {
            p = after;
            tried += width(text, tried);
            at = tried;
        } else {
            return false;
        }
    }
    while (p < pattern.len and pattern[p] == '*') p += 1;
    return p == pattern.len;
}

fn fail(reason: []const u8) i32 {
    _ = error_write(reason.ptr, reason.len);
    return 2;
}

/// init is the body of hermes_init: read takes the settings out of the configuration.
pub fn init(comptime read: fn (config: *Config) void) i32 {
    const size = config_read(null, 0);
    if (size < 0) return fail("config_read failed");
    const bytes = room(u8, @intCast(size));
    if (config_read(bytes.ptr, bytes.len) != size) return fail("config_read failed");
    var config = Config{};
    if (!config.object.decode(bytes, 0)) return fail("the configuration is not a message of protocol buffers");
    read(&config);
    if (config.err) |reason| return fail(reason);
    for (config.object.members) |member| {
        var known = false;
        for (config.known) |key| {
            if (same(key, member.key)) known = true;
        }
        if (!known) return fail(join(&.{ "configuration: unknown key ", member.key }));
    }
    begin = end;
    return 0;
}

/// serve is the body of a hook.
pub fn serve(comptime E: type, comptime V: type, len: i32, comptime decide: fn (event: *const E) Decision(V)) i32 {
    end = begin;
    const bytes = room(u8, @intCast(len));
    if (event_read(bytes.ptr, bytes.len) != len) return fail("event_read: the event is not as long as the call said");
    var event = E{};
    if (!decode(E, bytes, &event)) return fail("the event is not a message of protocol buffers");
    switch (decide(&event)) {
        .abstain => return 1,
        .fail => |reason| return fail(reason),
        .verdict => |verdict| {
            var out = Buffer{};
            verdict.append(&out);
            if (result_write(out.at.ptr, out.size) < 0) return fail("result_write failed");
            return 0;
        },
    }
}

/// logLine writes a line; the level is 0 debug, 1 info, 2 warn or 3 error.
pub fn logLine(level: i32, line: []const u8) void {
    _ = log(level, line.ptr, line.len);
}

/// What a function of the embedder answers: the code is 0, or a negative one of docs/abi.md. With -7, FAILED, the bytes are
/// the function's reason.
pub const Answer = struct { code: i32, bytes: []const u8 = "" };

/// askEmbedder calls a function of the program that embeds the host, once. A module declares each one with its version:
///     extern "embedder" fn lookup_v1(request: [*]const u8, request_len: u32, buf: ?[*]u8, limit: u32) i32;
pub fn askEmbedder(comptime function: anytype, request: []const u8) Answer {
    const n = function(request.ptr, request.len, null, 0);
    const code = @min(n, 0);
    const size = if (n == -7) answer_read(null, 0) else n;
    if (size <= 0) return .{ .code = code };
    const bytes = room(u8, @intCast(size));
    if (answer_read(bytes.ptr, bytes.len) != size) return .{ .code = code };
    return .{ .code = code, .bytes = bytes };
}

/// The store of the plugin for the task. kvSet and kvDelete return a code of docs/abi.md if they fail.
pub fn kvSet(key: []const u8, value: []const u8) i32 {
    return @min(kv_set(key.ptr, key.len, value.ptr, value.len), 0);
}

/// kvSetTTL is kvSet for a value that is gone after a time; 0 is for good. An older host answers -5, UNSUPPORTED, if the
/// manifest lists kv_set_ttl under optional_imports.
pub fn kvSetTTL(key: []const u8, value: []const u8, ttl_ms: i64) i32 {
    return @min(kv_set_ttl(key.ptr, key.len, value.ptr, value.len, ttl_ms), 0);
}

/// kvCompareAndSet is kvSetTTL if the value is the old one, or if there is none and old is null; -8 if not.
pub fn kvCompareAndSet(key: []const u8, old: ?[]const u8, value: []const u8, ttl_ms: i64) i32 {
    const expected: []const u8 = old orelse "";
    const size: u32 = if (old == null) 0xffffffff else @intCast(expected.len);
    return @min(kv_compare_and_set(key.ptr, key.len, expected.ptr, size, value.ptr, value.len, ttl_ms), 0);
}

pub fn kvDelete(key: []const u8) i32 {
    return kv_delete(key.ptr, key.len);
}

/// kvGet is null if there is no such value, or the store cannot be read.
pub fn kvGet(key: []const u8) ?[]const u8 {
    const n = kv_get(key.ptr, key.len, null, 0);
    if (n < 0) return null;
    const value = room(u8, @intCast(n));
    return if (kv_get(key.ptr, key.len, value.ptr, value.len) == n) value else null;
}

pub fn kvList(prefix: []const u8) []const []const u8 {
    const n = kv_list(prefix.ptr, prefix.len, null, 0);
    var list = KeyList{};
    if (n < 0) return list.keys;
    const bytes = room(u8, @intCast(n));
    if (kv_list(prefix.ptr, prefix.len, bytes.ptr, bytes.len) == n) _ = decode(KeyList, bytes, &list);
    return list.keys;
}

/// stateGet is the host's state of the task, JSON; null if there is none.
pub fn stateGet(key: []const u8) ?[]const u8 {
    const n = state_get(key.ptr, key.len, null, 0);
    if (n < 0) return null;
    const value = room(u8, @intCast(n));
    return if (state_get(key.ptr, key.len, value.ptr, value.len) == n) value else null;
}

/// Config reads a configuration strictly: the first key that is unknown or has a value that is not possible is an error.
pub const Config = struct {
    object: Struct = .{},
    known: []const []const u8 = &.{},
    err: ?[]const u8 = null,

    fn get(c: *Config, key: []const u8) ?Value {
        c.known = add([]const u8, c.known, key);
        const value = c.object.get(key) orelse return null;
        return if (value == .none) null else value;
    }

    /// refuse makes hermes_init fail; want says what is possible.
    pub fn refuse(c: *Config, key: []const u8, want: []const u8) void {
        if (c.err == null) c.err = join(&.{ "configuration: ", key, ": want ", want });
    }

    pub fn text(c: *Config, key: []const u8, otherwise: []const u8) []const u8 {
        const value = c.get(key) orelse return otherwise;
        if (value == .text) return value.text;
        c.refuse(key, "a string");
        return otherwise;
    }

    pub fn flag(c: *Config, key: []const u8, otherwise: bool) bool {
        const value = c.get(key) orelse return otherwise;
        if (value == .flag) return value.flag;
        c.refuse(key, "true or false");
        return otherwise;
    }

    /// whole reads a number that is not negative.
    pub fn whole(c: *Config, key: []const u8, otherwise: u64, least: u64, most: u64) u64 {
        const value = c.get(key) orelse return otherwise;
        if (value == .number) {
            const n = value.number;
            if (n >= @as(f64, @floatFromInt(least)) and n <= @as(f64, @floatFromInt(most)) and n == @floor(n)) return @intFromFloat(n);
        }
        c.refuse(key, join(&.{ "a whole number from ", decimal(least), " to ", decimal(most) }));
        return otherwise;
    }
};

/// A value of a configuration, of arguments or of a result: google.protobuf.Value.
pub const Value = union(enum) {
    none,
    number: f64,
    text: []const u8,
    flag: bool,
    object: Struct,
    list: []const Value,

    fn decode(value: *Value, message: []const u8, depth: u32) bool {
        var rest = message;
        while (rest.len > 0) {
            const f = next(&rest) orelse return false;
            if (f.number == 1 and f.wire == VARINT) {
                value.* = .none;
            } else if (f.number == 2 and f.wire == FIXED64) {
                var bits: u64 = 0;
                var i: usize = 8;
                while (i > 0) {
                    i -= 1;
                    bits = bits << 8 | f.chunk[i];
                }
                value.* = .{ .number = @bitCast(bits) };
            } else if (f.number == 3 and f.wire == CHUNK) {
                if (!isUTF8(f.chunk)) return false;
                value.* = .{ .text = f.chunk };
            } else if (f.number == 4 and f.wire == VARINT) {
                value.* = .{ .flag = f.value != 0 };
            } else if (f.number == 5 and f.wire == CHUNK) {
                var object = if (value.* == .object) value.object else Struct{};
                if (!object.decode(f.chunk, depth + 1)) return false;
                value.* = .{ .object = object };
            } else if (f.number == 6 and f.wire == CHUNK) {
                const list = if (value.* == .list) value.list else @as([]const Value, &.{});
                value.* = .{ .list = decodeList(list, f.chunk, depth + 1) orelse return false };
            }
        }
        return true;
    }

    fn append(value: *const Value, out: *Buffer) void {
        var inner = Buffer{};
        switch (value.*) {
            .none => out.numberAlways(1, 0),
            .number => |n| {
                var bits: u64 = @bitCast(n);
                out.varint(2 << 3 | FIXED64);
                var i: usize = 0;
                while (i < 8) : (i += 1) {
                    out.bytes(&.{@as(u8, @truncate(bits))});
                    bits >>= 8;
                }
            },
            .text => |text| out.chunkAlways(3, text),
            .flag => |flag| out.numberAlways(4, @intFromBool(flag)),
            .object => |object| {
                object.append(&inner);
                out.chunkAlways(5, inner.all());
            },
            .list => |list| {
                for (list) |*item| {
                    var encoded = Buffer{};
                    item.append(&encoded);
                    inner.chunkAlways(1, encoded.all());
                }
                out.chunkAlways(6, inner.all());
            },
        }
    }
};

fn decodeList(before: []const Value, message: []const u8, depth: u32) ?[]const Value {
    if (depth >= 32) return null;
    var list = before;
    var rest = message;
    while (rest.len > 0) {
        const f = next(&rest) orelse return null;
        if (f.number != 1 or f.wire != CHUNK) continue;
        var item: Value = .none;
        if (!item.decode(f.chunk, depth)) return null;
        list = add(Value, list, item);
    }
    return list;
}

pub const Member = struct { key: []const u8, value: Value };

/// An object: google.protobuf.Struct.
pub const Struct = struct {
    members: []const Member = &.{},

    pub fn get(object: *const Struct, key: []const u8) ?Value {
        for (object.members) |member| {
            if (same(member.key, key)) return member.value;
        }
        return null;
    }

    /// getText is empty if there is no such text.
    pub fn getText(object: *const Struct, key: []const u8) []const u8 {
        const value = object.get(key) orelse return "";
        return if (value == .text) value.text else "";
    }

    pub fn set(object: *Struct, key: []const u8, value: Value) void {
        for (object.members, 0..) |member, i| {
            if (same(member.key, key)) {
                const at: [*]Member = @constCast(object.members.ptr);
                at[i].value = value;
                return;
            }
        }
        object.members = add(Member, object.members, .{ .key = key, .value = value });
    }

    fn decode(object: *Struct, message: []const u8, depth: u32) bool {
        if (depth >= 32) return false;
        var rest = message;
        while (rest.len > 0) {
            const f = next(&rest) orelse return false;
            if (f.number != 1 or f.wire != CHUNK) continue;
            var key: []const u8 = "";
            var value: Value = .none;
            var entry = f.chunk;
            while (entry.len > 0) {
                const part = next(&entry) orelse return false;
                if (part.wire != CHUNK) continue;
                if (part.number == 1) {
                    if (!isUTF8(part.chunk)) return false;
                    key = part.chunk;
                }
                if (part.number == 2 and !value.decode(part.chunk, depth)) return false;
            }
            object.set(key, value);
        }
        return true;
    }

    fn append(object: *const Struct, out: *Buffer) void {
        for (object.members) |*member| {
            var entry = Buffer{};
            entry.chunkAlways(1, member.key);
            var value = Buffer{};
            member.value.append(&value);
            entry.chunkAlways(2, value.all());
            out.chunkAlways(1, entry.all());
        }
    }
};

const VARINT = 0;
const FIXED64 = 1;
const CHUNK = 2;
const FIXED32 = 5;

// One field of a message: value is that of a varint, chunk what the others contain.
const Field = struct { number: u64, wire: u8, value: u64 = 0, chunk: []const u8 = "" };

fn next(rest: *[]const u8) ?Field {
    const tag = varintOf(rest) orelse return null;
    var f = Field{ .number = tag >> 3, .wire = @intCast(tag & 7) };
    if (f.number == 0 or f.number > 0x1fffffff) return null;
    switch (f.wire) {
        VARINT => f.value = varintOf(rest) orelse return null,
        FIXED64 => f.chunk = take(rest, 8) orelse return null,
        CHUNK => f.chunk = take(rest, varintOf(rest) orelse return null) orelse return null,
        FIXED32 => f.chunk = take(rest, 4) orelse return null,
        else => return null, // groups, and unknown wire types
    }
    return f;
}

fn varintOf(rest: *[]const u8) ?u64 {
    var value: u64 = 0;
    for (rest.*, 0..) |byte, i| {
        if (i == 10 or (i == 9 and byte > 1)) return null;
        value |= @as(u64, byte & 0x7f) << @as(u6, @intCast(7 * i));
        if (byte < 0x80) {
            rest.* = rest.*[i + 1 ..];
            return value;
        }
    }
    return null;
}

fn take(rest: *[]const u8, size: u64) ?[]const u8 {
    if (size > rest.len) return null;
    const n: usize = @intCast(size);
    const taken = rest.*[0..n];
    rest.* = rest.*[n..];
    return taken;
}

// decode adds what the bytes encode: a message that occurs twice is merged.
fn decode(comptime M: type, message: []const u8, into: *M) bool {
    var rest = message;
    while (rest.len > 0) {
        const f = next(&rest) orelse return false;
        if (!into.field(f)) return false;
    }
    return true;
}

fn isUTF8(text: []const u8) bool {
    var at: usize = 0;
    while (at < text.len) {
        const first = text[at];
        at += 1;
        if (first < 0x80) continue;
        const more: usize = if (first >= 0xf0) 3 else if (first >= 0xe0) 2 else 1;
        if (first < 0xc2 or first > 0xf4 or text.len - at < more) return false;
        const low: u8 = if (first == 0xe0) 0xa0 else if (first == 0xf0) 0x90 else 0x80; // below this there is a shorter encoding
        const high: u8 = if (first == 0xed) 0x9f else if (first == 0xf4) 0x8f else 0xbf; // above this are surrogates, or nothing
        if (text[at] < low or text[at] > high) return false;
        for (text[at + 1 .. at + more]) |byte| {
            if (byte & 0xc0 != 0x80) return false;
        }
        at += more;
    }
    return true;
}

/// Buffer is bytes that grow.
pub const Buffer = struct {
    at: []u8 = &.{},
    size: usize = 0,

    pub fn bytes(b: *Buffer, more: []const u8) void {
        if (b.size + more.len > b.at.len) {
            const larger = room(u8, (b.size + more.len) * 2 + 64);
            for (b.at[0..b.size], 0..) |byte, i| larger[i] = byte;
            b.at = larger;
        }
        for (more, 0..) |byte, i| b.at[b.size + i] = byte;
        b.size += more.len;
    }

    pub fn all(b: *const Buffer) []const u8 {
        return b.at[0..b.size];
    }

    fn varint(b: *Buffer, value: u64) void {
        var rest = value;
        while (rest >= 0x80) : (rest >>= 7) b.bytes(&.{@as(u8, @truncate(rest)) | 0x80});
        b.bytes(&.{@as(u8, @truncate(rest))});
    }

    fn numberAlways(b: *Buffer, field: u64, value: u64) void {
        b.varint(field << 3 | VARINT);
        b.varint(value);
    }

    fn number(b: *Buffer, field: u64, value: u64) void {
        if (value != 0) b.numberAlways(field, value);
    }

    fn chunkAlways(b: *Buffer, field: u64, content: []const u8) void {
        b.varint(field << 3 | CHUNK);
        b.varint(content.len);
        b.bytes(content);
    }

    fn chunk(b: *Buffer, field: u64, content: []const u8) void {
        if (content.len > 0) b.chunkAlways(field, content);
    }
};
