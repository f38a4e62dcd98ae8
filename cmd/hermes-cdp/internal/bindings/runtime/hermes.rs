#![allow(dead_code)]

use std::cell::UnsafeCell;

// The host's functions. The linker drops those that a module does not use.
#[link(wasm_import_module = "hermes_v1")]
extern "C" {
    fn event_read(buf: *mut u8, limit: u32) -> i32;
    fn result_write(ptr: *const u8, len: u32) -> i32;
    fn error_write(ptr: *const u8, len: u32) -> i32;
    fn config_read(buf: *mut u8, limit: u32) -> i32;
    #[link_name = "log"]
    fn log_write(level: i32, ptr: *const u8, len: u32) -> i32;
    #[link_name = "state_get"]
    fn state_read(key: *const u8, key_len: u32, buf: *mut u8, limit: u32) -> i32;
    #[link_name = "kv_get"]
    fn kv_read(key: *const u8, key_len: u32, buf: *mut u8, limit: u32) -> i32;
    #[link_name = "kv_set"]
    fn kv_write(key: *const u8, key_len: u32, value: *const u8, value_len: u32) -> i32;
    #[link_name = "kv_delete"]
    fn kv_remove(key: *const u8, key_len: u32) -> i32;
    #[link_name = "kv_list"]
    fn kv_keys(prefix: *const u8, prefix_len: u32, buf: *mut u8, limit: u32) -> i32;
    #[link_name = "kv_set_ttl"]
    fn kv_write_ttl(key: *const u8, key_len: u32, value: *const u8, value_len: u32, ttl_ms: i64) -> i32;
    #[link_name = "kv_compare_and_set"]
    fn kv_swap(key: *const u8, key_len: u32, old: *const u8, old_len: u32, value: *const u8, value_len: u32, ttl_ms: i64) -> i32;
}

#[link(wasm_import_module = "hermes_v1")]
extern "C" {
    fn answer_read(buf: *mut u8, limit: u32) -> i32;
}

#[no_mangle]
pub extern "C" fn hermes_abi_v1() {}

/// What a hook decides.
pub enum Decision<V> {
    Verdict(V),
    /// The next module decides, or the host.
    Abstain,
    /// Why there is no verdict: the host falls back to its own rule.
    Fail(String),
}

/// Settings is what hermes_init derived from the configuration. A guest is one thread, so that nothing is locked.
pub struct Settings<T>(UnsafeCell<Option<T>>);

unsafe impl<T> Sync for Settings<T> {}

impl<T> Settings<T> {
    pub const fn new() -> Self {
        Settings(UnsafeCell::new(None))
    }
    fn set(&self, value: T) {
        unsafe { *self.0.get() = Some(value) }
    }
    /// get panics before hermes_init has run.
    pub fn get(&self) -> &T {
        unsafe { (*self.0.get()).as_ref().expect("hermes_init has not run") }
    }
}

/// init is the body of hermes_init: it reads the configuration, or says why it is refused.
pub fn init<T>(settings: &Settings<T>, read: fn(&mut Config) -> T) -> i32 {
    let bytes = match ask(|buf, limit| unsafe { config_read(buf, limit) }) {
        Ok(bytes) => bytes,
        Err(code) => return fail(&format!("config_read returned {}", code)),
    };
    let mut object = Struct::default();
    if object.decode(&bytes).is_err() {
        return fail("the configuration is not a message of protocol buffers");
    }
    let mut config = Config { object: &object, known: Vec::new(), error: None };
    let value = read(&mut config);
    match config.finish() {
        Some(reason) => fail(&reason),
        None => {
            settings.set(value);
            0
        }
    }
}

/// serve is the body of a hook.
pub fn serve<E: Message, V: Verdict>(len: i32, decide: impl FnOnce(&E) -> Decision<V>) -> i32 {
    let mut bytes = vec![0; len as usize];
    if unsafe { event_read(bytes.as_mut_ptr(), len as u32) } != len {
        return fail("event_read: the event is not as long as the call said");
    }
    let mut event = E::default();
    if event.decode(&bytes).is_err() {
        return fail("the event is not a message of protocol buffers");
    }
    match decide(&event) {
        Decision::Abstain => 1,
        Decision::Fail(reason) => fail(&reason),
        Decision::Verdict(verdict) => {
            let mut out = Vec::new();
            verdict.append(&mut out);
            match unsafe { result_write(out.as_ptr(), out.len() as u32) } {
                code if code < 0 => fail(&format!("result_write returned {}", code)),
                _ => 0,
            }
        }
    }
}

fn fail(reason: &str) -> i32 {
    unsafe { error_write(reason.as_ptr(), reason.len() as u32) };
    2
}

/// log writes a line; the level is 0 debug, 1 info, 2 warn or 3 error.
pub fn log(level: i32, line: &str) {
    unsafe { log_write(level, line.as_ptr(), line.len() as u32) };
}

fn ask(get: impl Fn(*mut u8, u32) -> i32) -> Result<Vec<u8>, i32> {
    let mut bytes = Vec::new();
    loop {
        let n = get(bytes.as_mut_ptr(), bytes.len() as u32);
        match n {
            n if n < 0 => return Err(n),
            n if n as usize <= bytes.len() => {
                bytes.truncate(n as usize);
                return Ok(bytes);
            }
            n => bytes = vec![0; n as usize],
        }
    }
}

fn code(n: i32) -> Result<(), i32> {
    if n < 0 {
        Err(n)
    } else {
        Ok(())
    }
}

/// A function of the program that embeds the host. A module declares each one that it calls, with its version:
///
/// ```text
/// #[link(wasm_import_module = "embedder")]
/// extern "C" {
///     fn lookup_v1(request: *const u8, request_len: u32, buf: *mut u8, limit: u32) -> i32;
/// }
/// ```
pub type EmbedderFunction = unsafe extern "C" fn(*const u8, u32, *mut u8, u32) -> i32;

/// Why a function of the embedder did not answer: a code of docs/abi.md, and for -7, FAILED, the function's reason.
pub struct Unanswered {
    pub code: i32,
    pub reason: Vec<u8>,
}

/// ask_embedder calls a function of the embedder, once.
pub fn ask_embedder(function: EmbedderFunction, request: &[u8]) -> Result<Vec<u8>, Unanswered> {
    let code = unsafe { function(request.as_ptr(), request.len() as u32, std::ptr::null_mut(), 0) };
    let answer = || ask(|buf, limit| unsafe { answer_read(buf, limit) }).unwrap_or_default();
    match code {
        code if code >= 0 => Ok(answer()),
        -7 => Err(Unanswered { code, reason: answer() }),
        code => Err(Unanswered { code, reason: Vec::new() }),
    }
}

/// The store of the plugin for the task. An error is a code of docs/abi.md: -1 is NOT_FOUND.
pub fn kv_get(key: &str) -> Result<Vec<u8>, i32> {
    ask(|buf, limit| unsafe { kv_read(key.as_ptr(), key.len() as u32, buf, limit) })
}

pub fn kv_set(key: &str, value: &[u8]) -> Result<(), i32> {
    code(unsafe { kv_write(key.as_ptr(), key.len() as u32, value.as_ptr(), value.len() as u32) })
}

/// kv_set_ttl is kv_set for a value that is gone after a time; 0 is for good. An older host answers -5, UNSUPPORTED, if the
/// manifest lists kv_set_ttl under optional_imports.
pub fn kv_set_ttl(key: &str, value: &[u8], ttl_ms: i64) -> Result<(), i32> {
    code(unsafe { kv_write_ttl(key.as_ptr(), key.len() as u32, value.as_ptr(), value.len() as u32, ttl_ms) })
}

/// kv_compare_and_set is kv_set_ttl if the value is the old one, or if there is none and old is None; Ok(false) if not.
pub fn kv_compare_and_set(key: &str, old: Option<&[u8]>, value: &[u8], ttl_ms: i64) -> Result<bool, i32> {
    let (at, len) = old.map_or((std::ptr::null(), u32::MAX), |old| (old.as_ptr(), old.len() as u32));
    match code(unsafe { kv_swap(key.as_ptr(), key.len() as u32, at, len, value.as_ptr(), value.len() as u32, ttl_ms) }) {
        Ok(()) => Ok(true),
        Err(-8) => Ok(false),
        Err(code) => Err(code),
    }
}

pub fn kv_delete(key: &str) -> Result<(), i32> {
    code(unsafe { kv_remove(key.as_ptr(), key.len() as u32) })
}

pub fn kv_list(prefix: &str) -> Result<Vec<String>, i32> {
    let bytes = ask(|buf, limit| unsafe { kv_keys(prefix.as_ptr(), prefix.len() as u32, buf, limit) })?;
    let mut list = KeyList::default();
    list.decode(&bytes).map_err(|_| -6)?;
    Ok(list.keys)
}

/// The host's state of the task, JSON.
pub fn state_get(key: &str) -> Result<Vec<u8>, i32> {
    ask(|buf, limit| unsafe { state_read(key.as_ptr(), key.len() as u32, buf, limit) })
}

/// matches says whether all of a text is like a pattern: * stands for any text, ? for one character.
pub fn matches(pattern: &str, text: &str) -> bool {
    let (p, s): (Vec<char>, Vec<char>) = (pattern.chars().collect(), text.chars().collect());
    let (mut i, mut at) = (0, 0);
    let mut star: Option<(usize, usize)> = None; // after the last *, and where the text after it was tried
    while at < s.len() {
        if i < p.len() && p[i] == '*' {
            star = Some((i + 1, at));
            i += 1;
        } else if i < p.len() && (p[i] == '?' || p[i] == s[at]) {
            i += 1;
            at += 1;
        } else if let Some((after, tried)) = star {
            star = Some((after, tried + 1));
            i = after;
            at = tried + 1;
        } else {
            return false;
        }
    }
    p[i..].iter().all(|c| *c == '*')
}

/// Config reads a configuration strictly: the first key that is unknown or has a value that is not possible is an error.
pub struct Config<'a> {
    object: &'a Struct,
    known: Vec<&'static str>,
    error: Option<String>,
}

impl<'a> Config<'a> {
    fn find(&mut self, key: &'static str) -> Option<&'a Value> {
        self.known.push(key);
        match self.object.get(key) {
            Some(Value::Null) => None,
            found => found,
        }
    }

    /// refuse makes hermes_init fail; want says what is possible.
    pub fn refuse(&mut self, key: &str, want: &str) {
        self.error.get_or_insert_with(|| format!("configuration: {}: want {}", key, want));
    }

    pub fn text(&mut self, key: &'static str, otherwise: &str) -> String {
        match self.find(key) {
            None => (),
            Some(Value::Text(text)) => return text.clone(),
            Some(_) => self.refuse(key, "a string"),
        }
        otherwise.to_string()
    }

    pub fn one_of(&mut self, key: &'static str, otherwise: &str, allowed: &[&str]) -> String {
        let text = self.text(key, otherwise);
        if !allowed.contains(&text.as_str()) {
            self.refuse(key, &allowed.join(" or "));
        }
        text
    }

    pub fn flag(&mut self, key: &'static str, otherwise: bool) -> bool {
        match self.find(key) {
            None => (),
            Some(Value::Bool(value)) => return *value,
            Some(_) => self.refuse(key, "true or false"),
        }
        otherwise
    }

    pub fn whole(&mut self, key: &'static str, otherwise: i64, least: i64, most: i64) -> i64 {
        match self.find(key) {
            None => otherwise,
            Some(Value::Number(n)) if *n >= least as f64 && *n <= most as f64 && *n == *n as i64 as f64 => *n as i64,
            Some(_) => {
                self.refuse(key, &format!("a whole number from {} to {}", least, most));
                otherwise
            }
        }
    }

    fn finish(self) -> Option<String> {
        let unknown = self.object.members.iter().find(|(key, _)| !self.known.contains(&key.as_str()));
        self.error.or_else(|| unknown.map(|(key, _)| format!("configuration: unknown key {:?}; known are {}", key, self.known.join(", "))))
    }
}

/// A value of a configuration, of arguments or of a result: google.protobuf.Value.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    Null,
    Number(f64),
    Text(String),
    Bool(bool),
    Object(Struct),
    List(Vec<Value>),
}

/// An object: google.protobuf.Struct.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Struct {
    pub members: Vec<(String, Value)>,
}

impl Struct {
    pub fn get(&self, key: &str) -> Option<&Value> {
        self.members.iter().find(|(name, _)| name == key).map(|(_, value)| value)
    }

    pub fn get_text(&self, key: &str) -> Option<&str> {
        match self.get(key) {
            Some(Value::Text(text)) => Some(text),
            _ => None,
        }
    }

    pub fn set(&mut self, key: &str, value: Value) {
        match self.members.iter_mut().find(|(name, _)| name == key) {
            Some(member) => member.1 = value,
            None => self.members.push((key.to_string(), value)),
        }
    }

    fn decode(&mut self, bytes: &[u8]) -> Result<(), Malformed> {
        self.decode_at(bytes, 0)
    }

    fn decode_at(&mut self, bytes: &[u8], depth: u32) -> Result<(), Malformed> {
        if depth >= 32 {
            return Err(Malformed);
        }
        let mut rest = bytes;
        while let Some(field) = next(&mut rest)? {
            if field.number != 1 || field.wire != CHUNK {
                continue;
            }
            let (mut key, mut value) = (String::new(), Value::Null);
            let mut entry = field.chunk;
            while let Some(part) = next(&mut entry)? {
                match (part.number, part.wire) {
                    (1, CHUNK) => key = text(part.chunk)?,
                    (2, CHUNK) => value.decode(part.chunk, depth)?,
                    _ => (),
                }
            }
            self.set(&key, value);
        }
        Ok(())
    }

    fn append(&self, out: &mut Vec<u8>) {
        for (key, value) in &self.members {
            let mut entry = Vec::new();
            put_chunk(&mut entry, 1, key.as_bytes());
            let mut encoded = Vec::new();
            value.append(&mut encoded);
            put_chunk(&mut entry, 2, &encoded);
            put_chunk(out, 1, &entry);
        }
    }
}

impl Value {
    fn decode(&mut self, bytes: &[u8], depth: u32) -> Result<(), Malformed> {
        let mut rest = bytes;
        while let Some(field) = next(&mut rest)? {
            match (field.number, field.wire) {
                (1, VARINT) => *self = Value::Null,
                (2, FIXED64) => {
                    let mut eight = [0; 8];
                    eight.copy_from_slice(field.chunk);
                    *self = Value::Number(f64::from_le_bytes(eight));
                }
                (3, CHUNK) => *self = Value::Text(text(field.chunk)?),
                (4, VARINT) => *self = Value::Bool(field.value != 0),
                (5, CHUNK) => {
                    if !matches!(self, Value::Object(_)) {
                        *self = Value::Object(Struct::default());
                    }
                    if let Value::Object(object) = self {
                        object.decode_at(field.chunk, depth + 1)?;
                    }
                }
                (6, CHUNK) => {
                    if !matches!(self, Value::List(_)) {
                        *self = Value::List(Vec::new());
                    }
                    if let Value::List(list) = self {
                        decode_list(list, field.chunk, depth + 1)?;
                    }
                }
                _ => (),
            }
        }
        Ok(())
    }

    fn append(&self, out: &mut Vec<u8>) {
        let mut inner = Vec::new();
        match self {
            Value::Null => put_varint_always(out, 1, 0),
            Value::Number(n) => {
                put_varint(out, 2 << 3 | FIXED64 as u64);
                out.extend_from_slice(&n.to_le_bytes());
            }
            Value::Text(text) => put_chunk(out, 3, text.as_bytes()),
            Value::Bool(value) => put_varint_always(out, 4, *value as u64),
            Value::Object(object) => {
                object.append(&mut inner);
                put_chunk(out, 5, &inner);
            }
            Value::List(list) => {
                for item in list {
                    let mut encoded = Vec::new();
                    item.append(&mut encoded);
                    put_chunk(&mut inner, 1, &encoded);
                }
                put_chunk(out, 6, &inner);
            }
        }
    }
}

fn decode_list(list: &mut Vec<Value>, bytes: &[u8], depth: u32) -> Result<(), Malformed> {
    if depth >= 32 {
        return Err(Malformed);
    }
    let mut rest = bytes;
    while let Some(field) = next(&mut rest)? {
        if field.number == 1 && field.wire == CHUNK {
            let mut item = Value::Null;
            item.decode(field.chunk, depth)?;
            list.push(item);
        }
    }
    Ok(())
}

/// The bytes are no message.
#[derive(Debug)]
pub struct Malformed;

const VARINT: u8 = 0;
const FIXED64: u8 = 1;
const CHUNK: u8 = 2;
const FIXED32: u8 = 5;

/// One field of a message: value is that of a varint, chunk what the others contain.
pub struct Field<'a> {
    number: u64,
    wire: u8,
    value: u64,
    chunk: &'a [u8],
}

/// Message is what the host sends.
pub trait Message: Default {
    fn field(&mut self, f: &Field) -> Result<(), Malformed>;

    /// decode adds what the bytes encode: a message that occurs twice is merged.
    fn decode(&mut self, bytes: &[u8]) -> Result<(), Malformed> {
        let mut rest = bytes;
        while let Some(field) = next(&mut rest)? {
            self.field(&field)?;
        }
        Ok(())
    }
}

/// Verdict is what the host gets. The verdict of a hook without one is ().
pub trait Verdict {
    fn append(&self, out: &mut Vec<u8>);
}

impl Verdict for () {
    fn append(&self, _: &mut Vec<u8>) {}
}

fn next<'a>(rest: &mut &'a [u8]) -> Result<Option<Field<'a>>, Malformed> {
    if rest.is_empty() {
        return Ok(None);
    }
    let tag = varint(rest)?;
    let mut f = Field { number: tag >> 3, wire: (tag & 7) as u8, value: 0, chunk: &[] };
    if f.number == 0 || f.number > 0x1fffffff {
        return Err(Malformed);
    }
    match f.wire {
        VARINT => f.value = varint(rest)?,
        FIXED64 => f.chunk = take(rest, 8)?,
        CHUNK => {
            let size = varint(rest)?;
            f.chunk = take(rest, size)?;
        }
        FIXED32 => f.chunk = take(rest, 4)?,
        _ => return Err(Malformed), // groups, and unknown wire types
    }
    Ok(Some(f))
}

fn varint(rest: &mut &[u8]) -> Result<u64, Malformed> {
    let mut value = 0;
    for shift in (0..70).step_by(7) {
        let (first, after) = rest.split_first().ok_or(Malformed)?;
        *rest = after;
        if shift == 63 && *first > 1 {
            return Err(Malformed);
        }
        value |= ((*first & 0x7f) as u64) << shift;
        if *first < 0x80 {
            return Ok(value);
        }
    }
    Err(Malformed)
}

fn take<'a>(rest: &mut &'a [u8], size: u64) -> Result<&'a [u8], Malformed> {
    if size > rest.len() as u64 {
        return Err(Malformed);
    }
    let (taken, after) = rest.split_at(size as usize);
    *rest = after;
    Ok(taken)
}

fn text(bytes: &[u8]) -> Result<String, Malformed> {
    std::str::from_utf8(bytes).map(str::to_string).map_err(|_| Malformed)
}

fn put_varint(out: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

fn put_varint_always(out: &mut Vec<u8>, number: u64, value: u64) {
    put_varint(out, number << 3 | VARINT as u64);
    put_varint(out, value);
}

fn put_number(out: &mut Vec<u8>, number: u64, value: u64) {
    if value != 0 {
        put_varint_always(out, number, value);
    }
}

fn put_chunk(out: &mut Vec<u8>, number: u64, bytes: &[u8]) {
    put_varint(out, number << 3 | CHUNK as u64);
    put_varint(out, bytes.len() as u64);
    out.extend_from_slice(bytes);
}

fn put_bytes(out: &mut Vec<u8>, number: u64, bytes: &[u8]) {
    if !bytes.is_empty() {
        put_chunk(out, number, bytes);
    }
}
