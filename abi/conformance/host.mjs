// A host of version 1 of the ABI (docs/abi.md) in JavaScript, with nothing but Node.js, as a program of the conformance kit
// (README.md):
//
//     hermes-cdp abi conformance --host 'node host.mjs'
//
// It shows what a host has to do. What it lacks is a meter: a call ends when it has used too much of a processor.
import {createInterface} from "node:readline";
import {Worker, isMainThread, parentPort, workerData} from "node:worker_threads";
import {fileURLToPath} from "node:url";

const MAX_PAGES = 256, MAX_VERDICT = 64 << 10, MAX_LINE = 4 << 10, MAX_KEY = 256, MAX_STORE = 64 << 10, MAX_KEYS = 1024, MAX_ASKED = 1 << 20, MAX_TTL = 365n * 86400000n;
// How much of a processor a call may use, which does not depend on what else the machine does, and how often that is looked at.
const CALL_CPU_MS = 3000, LOOK_MS = 50;
const NOT_FOUND = -1, BAD_MEMORY = -2, TOO_LARGE = -3, DENIED = -4, UNSUPPORTED = -5, CONFLICT = -8;
const HOOKS = ["hermes_on_dialog", "hermes_on_dialog_closed", "hermes_filter_frames", "hermes_bridge_script", "hermes_bridge_request", "hermes_bridge_reply", "hermes_on_navigate", "hermes_on_request",
	"hermes_tool_call", "hermes_before_tool", "hermes_after_tool", "hermes_on_console", "hermes_on_snapshot", "hermes_on_download", "hermes_on_upload"];
const VOID = ["hermes_on_dialog_closed"];
// The imports with their signatures; i is i32, I is i64.
const IMPORTS = {
	event_read: "ii:i", result_write: "ii:i", error_write: "ii:i", config_read: "ii:i", log: "iii:i", log_enabled: "i:i", features: ":I", state_get: "iiii:i", kv_get: "iiii:i", kv_set: "iiii:i",
	kv_delete: "ii:i", kv_list: "iiii:i", kv_set_ttl: "iiiiI:i", kv_compare_and_set: "iiiiiiI:i",
};

// serve answers the requests of the kit.
async function serve() {
	const plugins = new Map();
	for await (const line of createInterface({input: process.stdin})) {
		process.stdout.write(JSON.stringify(await answer(plugins, JSON.parse(line))) + "\n");
	}
}

async function answer(plugins, {load, call, close}) {
	if (load) {
		const p = new Plugin(Buffer.from(load.wasm, "base64"), Buffer.from(load.config ?? "", "base64"));
		try {
			p.check();
			const failed = await p.start();
			if (failed) return failed;
		} catch (e) {
			return {error: String(e.message ?? e)};
		}
		plugins.set(load.plugin, p);
		return {hooks: p.hooks};
	}
	const p = plugins.get((call ?? close).plugin);
	if (call) return p.call(call);
	plugins.delete(close.plugin);
	await p.end();
	return {};
}

// A Plugin is a module with one instance, in a thread of its own so that a loop can be ended.
class Plugin {
	constructor(wasm, config) { Object.assign(this, {wasm, config, worker: null}); }

	// check refuses what cannot be served, before any of its code runs.
	check() {
		const m = parse(this.wasm);
		const optional = m.manifest ? texts(m.manifest, 10) : [];
		this.stubs = [];
		for (const f of m.imports) {
			const known = f.module === "hermes_v1" ? IMPORTS[f.name] : undefined;
			if (f.module === "wasi_snapshot_preview1" && f.kind === 0) continue;
			if (f.module === "hermes_v1" && f.kind === 0 && !known && optional.includes(f.name) && f.type.endsWith(":i")) { this.stubs.push(f.name); continue; }
			if (!known || f.kind !== 0) throw Error(`the host does not have the import ${f.module}.${f.name}`);
			if (known !== f.type) throw Error(`the import ${f.name} has the signature ${f.type}, not ${known}`);
		}
		const named = name => m.exports.find(e => e.name === name);
		if (named("hermes_abi_v1")?.kind !== 0) throw Error("it does not export hermes_abi_v1");
		if (named("memory")?.kind !== 2) throw Error("it does not export its memory");
		this.hooks = [];
		for (const e of m.exports.filter(e => e.name.startsWith("hermes_") && !["hermes_abi_v1", "hermes_init"].includes(e.name))) {
			if (!HOOKS.includes(e.name)) throw Error(`the host does not know the hook ${e.name}`);
			if (e.kind !== 0 || e.type !== "i:i") throw Error(`the hook ${e.name} has another signature`);
			this.hooks.push(e.name);
		}
		if (this.hooks.length === 0) throw Error("it exports no hook");
		this.bounded = m.bounded;
	}

	// start makes an instance; the result says why there is none.
	async start() {
		this.worker = new Worker(fileURLToPath(import.meta.url), {workerData: {wasm: this.bounded, config: this.config, stubs: this.stubs}, resourceLimits: {stackSizeMb: 1}});
		const r = await this.reply();
		if (r.error) await this.end();
		return r.error ? r : null;
	}

	// call runs a hook. After a fault the next call has a new instance.
	async call(c) {
		if (!this.worker) {
			const failed = await this.start();
			if (failed) return failed;
		}
		this.worker.postMessage(c);
		const r = await this.reply();
		if (r.error) await this.end();
		return r;
	}

	reply() {
		return new Promise(done => {
			const before = process.cpuUsage();
			const clock = setInterval(() => {
				const {user, system} = process.cpuUsage(before); // of all threads, in microseconds
				if (user + system > CALL_CPU_MS * 1000) end({error: "it used too much of the processor"});
			}, LOOK_MS);
			const {worker} = this, failed = e => end({error: String(e)});
			const end = r => {
				clearInterval(clock);
				worker.off("message", end).off("error", failed);
				done(r);
			};
			worker.on("message", end).on("error", failed);
		});
	}

	async end() {
		const {worker} = this;
		this.worker = null;
		await worker?.terminate();
	}
}

// work is the thread of an instance.
function work() {
	const {wasm, config, stubs} = workerData;
	const current = {}; // the call: event, verdict, reason, capabilities, store, state
	let memory;
	const bytes = (at, n) => (at >>>= 0) + (n >>>= 0) <= memory.buffer.byteLength ? new Uint8Array(memory.buffer, at, n) : null;
	const copy = (from, at, limit) => {
		if (from.length > limit >>> 0 || limit === 0) return from.length;
		const to = bytes(at, from.length);
		if (!to) return BAD_MEMORY;
		to.set(from);
		return from.length;
	};
	const keyed = (capability, at, n, prefix, then) => {
		if (!current.event || !current.capabilities.includes(capability)) return DENIED;
		if (n >>> 0 > MAX_KEY) return TOO_LARGE;
		const key = bytes(at, n), text = key && utf8(key);
		return text === null || text === "" && !prefix ? BAD_MEMORY : then(text, 64 + n);
	};
	const asks = n => (current.asked += n) <= MAX_ASKED;
	const stored = key => {
		const e = current.kv.get(key);
		return e && (!e.until || Date.now() < e.until) ? e.value : undefined;
	};
	const write = (key, value, ttl) => {
		let size = key.length + value.length, keys = 1;
		for (const [k] of current.kv) if (k !== key && stored(k)) { size += Buffer.byteLength(k) + stored(k).length; keys++; }
		if (size > MAX_STORE || keys > MAX_KEYS) return TOO_LARGE;
		current.kv.set(key, {value: value.slice(), until: ttl > 0n ? Date.now() + Number(ttl) : 0});
		return value.length;
	};
	const set = (key, n, value, m, ttl, may) => keyed("kv", key, n, false, (k, asked) => {
		const v = bytes(value, m);
		if (!v) return BAD_MEMORY;
		if (ttl < 0n || ttl > MAX_TTL || !asks(asked + v.length)) return TOO_LARGE;
		return may(k) ?? write(k, v, ttl);
	});
	const hermes = {
		event_read: (at, limit) => current.event ? copy(current.event, at, limit) : NOT_FOUND,
		config_read: (at, limit) => copy(config, at, limit),
		result_write: (at, n) => {
			if (!current.event) return DENIED;
			if (n >>> 0 > MAX_VERDICT) return TOO_LARGE;
			const b = bytes(at, n);
			if (!b) return BAD_MEMORY;
			current.verdict = b.slice();
			return n;
		},
		error_write: (at, n) => {
			const b = bytes(at, n);
			if (!b) return BAD_MEMORY;
			current.reason = Buffer.from(b.subarray(0, MAX_LINE)).toString();
			return n;
		},
		log: (level, at, n) => bytes(at, n) ? n : BAD_MEMORY,
		log_enabled: () => 0,
		features: () => 1n | 2n | 8n,
		state_get: (key, n, at, limit) => keyed("state", key, n, false, (k, asked) => {
			const v = current.state.get(k);
			return !asks(asked + (v?.length ?? 0)) ? TOO_LARGE : v ? copy(v, at, limit) : NOT_FOUND;
		}),
		kv_get: (key, n, at, limit) => keyed("kv", key, n, false, (k, asked) => {
			const v = stored(k);
			return !asks(asked + (v?.length ?? 0)) ? TOO_LARGE : v ? copy(v, at, limit) : NOT_FOUND;
		}),
		kv_delete: (key, n) => keyed("kv", key, n, false, (k, asked) => {
			if (!asks(asked)) return TOO_LARGE;
			const there = stored(k);
			current.kv.delete(k);
			return there ? 0 : NOT_FOUND;
		}),
		kv_list: (key, n, at, limit) => keyed("kv", key, n, true, (prefix, asked) => {
			const keys = [...current.kv.keys()].filter(k => k.startsWith(prefix) && stored(k)).map(k => Buffer.from(k)).sort(Buffer.compare);
			const list = Buffer.concat(keys.flatMap(k => [Buffer.from([0x0a, ...varint(k.length)]), k]));
			return asks(asked + list.length) ? copy(list, at, limit) : TOO_LARGE;
		}),
		kv_set: (key, n, value, m) => set(key, n, value, m, 0n, () => undefined),
		kv_set_ttl: (key, n, value, m, ttl) => set(key, n, value, m, ttl, () => undefined),
		kv_compare_and_set: (key, n, old, o, value, m, ttl) => {
			const expected = o === -1 ? undefined : bytes(old, o)?.slice() ?? null;
			return set(key, n, value, m, ttl, k => {
				if (expected === null) return BAD_MEMORY;
				const is = stored(k);
				return (is === undefined) === (expected === undefined) && (is === undefined || Buffer.compare(is, expected) === 0) ? undefined : CONFLICT;
			});
		},
	};
	for (const name of stubs) hermes[name] = () => UNSUPPORTED;
	const wasi = new Proxy({
		clock_time_get: (id, precision, at) => { new DataView(memory.buffer).setBigUint64(at >>> 0, 0n, true); return 0; },
		random_get: (at, n) => { bytes(at, n).fill(0); return 0; },
		proc_exit: code => { throw Error(`it ended itself with ${code}`); },
	}, {get: (known, name) => known[name] ?? (() => 52)});

	const run = f => {
		try {
			return f();
		} catch (e) {
			return {error: String(e)};
		}
	};
	const {exports} = new WebAssembly.Instance(new WebAssembly.Module(wasm), {hermes_v1: hermes, wasi_snapshot_preview1: wasi});
	memory = exports.memory;
	parentPort.postMessage(run(() => {
		exports._initialize?.();
		const status = exports.hermes_init?.() ?? 0;
		return status === 0 ? {} : status === 2 ? {error: current.reason ?? "", init: true} : {error: `hermes_init returned ${status}`};
	}));
	parentPort.on("message", c => parentPort.postMessage(run(() => {
		const decoded = of => new Map(Object.entries(of).map(([k, v]) => [k, Buffer.from(v, "base64")]));
		Object.assign(current, {event: Buffer.from(c.event, "base64"), verdict: undefined, reason: undefined, capabilities: c.capabilities, state: decoded(c.state), asked: 0});
		current.kv = new Map([...decoded(c.kv)].map(([k, value]) => [k, {value, until: 0}]));
		const status = exports[c.hook](current.event.length);
		const kv = Object.fromEntries([...current.kv.keys()].filter(stored).map(k => [k, Buffer.from(stored(k)).toString("base64")]));
		if (status === 0 && !VOID.includes(c.hook) && (!current.verdict || !isMessage(current.verdict))) throw Error("it decided without a verdict that can be read");
		if (![0, 1, 2].includes(status)) throw Error(`it returned ${status}`);
		current.event = undefined;
		return {status, kv, ...status === 0 && {verdict: Buffer.from(current.verdict ?? []).toString("base64")}, ...status === 2 && {reason: current.reason ?? ""}};
	})));
}

function utf8(b) {
	try {
		return new TextDecoder("utf-8", {fatal: true, ignoreBOM: true}).decode(b.slice());
	} catch {
		return null;
	}
}

function varint(n) {
	const out = [];
	for (; n > 127; n >>>= 7) out.push(n & 127 | 128);
	return [...out, n];
}

// A Reader reads LEB128 numbers, as of WebAssembly and of protocol buffers, and bytes.
class Reader {
	constructor(b) { this.b = b; this.at = 0; }
	get more() { return this.at < this.b.length; }
	byte() { if (!this.more) throw Error("it ends too early"); return this.b[this.at++]; }
	number() { let n = 0, by = 1; for (let c, i = 0; i < 10; i++, by *= 128) { c = this.byte(); n += (c & 127) * by; if (c < 128) return n; } throw Error("a number is too long"); }
	bytes(n = this.number()) { if (this.at + n > this.b.length) throw Error("it ends too early"); return this.b.subarray(this.at, this.at += n); }
	text() { return this.bytes().toString(); }
	list(one) { return Array.from({length: this.number()}, () => one()); }
}

// fields calls a function for each field of a message; groups are refused.
function fields(b, each) {
	for (const r = new Reader(b); r.more;) {
		const tag = r.number(), number = Math.floor(tag / 8);
		const value = [() => r.number(), () => r.bytes(8), () => r.bytes(), , , () => r.bytes(4)][tag % 8];
		if (!value || number === 0) throw Error("it is no message");
		each(number, value());
	}
}

function isMessage(b) {
	try {
		fields(Buffer.from(b), () => {});
		return true;
	} catch {
		return false;
	}
}

// texts are the values of a repeated field.
function texts(b, wanted) {
	const list = [];
	fields(b, (number, value) => { if (number === wanted) list.push(value.toString()); });
	return list;
}

// parse reads what a host has to know of a module, and bounds its memory.
//
// https://webassembly.github.io/spec/core/binary/modules.html
function parse(wasm) {
	const r = new Reader(wasm), m = {imports: [], exports: [], manifest: null};
	const types = [], functions = [], parts = [r.bytes(8)];
	const limits = r => { const flag = r.byte(), min = r.number(); return [min, flag & 1 ? r.number() : undefined]; };
	while (r.more) {
		const from = r.at, id = r.byte(), s = new Reader(r.bytes());
		let part = wasm.subarray(from, r.at);
		if (id === 0 && s.text() === "hermes.manifest") m.manifest = s.b.subarray(s.at);
		if (id === 1) types.push(...s.list(() => { s.byte(); const names = () => s.list(() => ({0x7f: "i", 0x7e: "I", 0x7d: "f", 0x7c: "F"})[s.byte()] ?? "?").join(""); return names() + ":" + names(); }));
		if (id === 2) m.imports = s.list(() => {
			const f = {module: s.text(), name: s.text(), kind: s.byte()};
			if (f.kind === 0) functions.push(f.type = types[s.number()]);
			else if (f.kind === 1) { s.byte(); limits(s); } else if (f.kind === 2) limits(s); else { s.byte(); s.byte(); }
			return f;
		});
		if (id === 3) functions.push(...s.list(() => types[s.number()]));
		if (id === 5 && s.number() === 1) {
			const [min, max = MAX_PAGES] = limits(s), body = [1, 1, ...varint(min), ...varint(Math.min(max, MAX_PAGES))];
			if (min > MAX_PAGES) throw Error("it wants more memory than there is");
			part = Buffer.from([5, ...varint(body.length), ...body]);
		}
		if (id === 7) m.exports = s.list(() => { const e = {name: s.text(), kind: s.byte()}, index = s.number(); return e.kind === 0 ? {...e, type: functions[index]} : e; });
		parts.push(part);
	}
	m.bounded = Buffer.concat(parts);
	return m;
}

if (isMainThread) await serve(); else work();
