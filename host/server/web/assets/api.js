// How the page speaks with the daemon. Each request has the key that came with the login, beside the cookie.

const keyName = "hermes-cdp-key";

export async function login() {
	const code = new URLSearchParams(location.hash.slice(1)).get("code");
	if (!code) return;
	history.replaceState(null, "", location.pathname); // the code works once, and is no longer shown
	const answer = await fetch("/live/login", {method: "POST", body: JSON.stringify({code}), headers: {"Content-Type": "application/json"}});
	if (!answer.ok) throw await errorOf(answer);
	localStorage.setItem(keyName, (await answer.json()).key);
}

const headers = () => ({"X-Hermes-Key": localStorage.getItem(keyName) ?? ""});

async function errorOf(answer) {
	let said;
	try { said = (await answer.json()).error; } catch { /* no answer of the daemon's */ }
	const e = new Error(said?.message ?? `${answer.status} ${answer.statusText}`);
	e.code = said?.code ?? "failed";
	return e;
}

async function ask(method, path, query, body) {
	const text = new URLSearchParams(query ?? {}).toString();
	const answer = await fetch(path + (text && "?" + text), {method, body, headers: {...headers(), "Content-Type": "application/json"}});
	if (!answer.ok) throw await errorOf(answer);
	return answer;
}

export const get = async (path, query) => (await ask("GET", path, query)).json();
export const post = async (path, query, body) => (await ask("POST", path, query, JSON.stringify(body ?? {}))).json();
export const send = async (path, file, query) => (await ask("POST", path, query, file)).json();
export const blob = async path => (await ask("GET", path)).blob();

// again calls a stream until stop is called, with a pause after each end.
function again(open, ended) {
	const control = new AbortController();
	(async () => {
		while (!control.signal.aborted) {
			try { await open(control.signal); ended(null); } catch (e) { if (!control.signal.aborted) ended(e); }
			if (!control.signal.aborted) await new Promise(go => setTimeout(go, 1000));
		}
	})();
	return () => control.abort();
}

async function* chunks(path, query, signal) {
	const answer = await fetch(path + "?" + new URLSearchParams(query), {headers: headers(), signal});
	if (!answer.ok) throw await errorOf(answer);
	const reader = answer.body.getReader();
	for (;;) {
		const {done, value} = await reader.read();
		if (done) return;
		yield value;
	}
}

// events reads server-sent events, whose data are JSON.
export function events(path, query, see, ended) {
	return again(async signal => {
		const decoder = new TextDecoder();
		let rest = "";
		for await (const chunk of chunks(path, query, signal)) {
			const messages = (rest + decoder.decode(chunk, {stream: true})).split("\n\n");
			rest = messages.pop();
			for (const m of messages) {
				const [, name, data] = m.match(/^event: (.*)\ndata: (.*)$/) ?? [];
				if (name) see(name, JSON.parse(data));
			}
		}
	}, ended);
}

// pictures reads pictures, each after its head.
export function pictures(query, see, ended) {
	return again(async signal => {
		let rest = new Uint8Array();
		const part = at => {
			if (rest.length < at + 4) return null;
			const size = new DataView(rest.buffer, rest.byteOffset + at, 4).getUint32(0);
			return rest.length < at + 4 + size ? null : rest.subarray(at + 4, at + 4 + size);
		};
		for await (const chunk of chunks("/live/pictures", query, signal)) {
			const all = new Uint8Array(rest.length + chunk.length);
			all.set(rest);
			all.set(chunk, rest.length);
			rest = all;
			for (;;) {
				const head = part(0), picture = head && part(4 + head.length);
				if (!picture) break;
				see(JSON.parse(new TextDecoder().decode(head)), await createImageBitmap(new Blob([picture], {type: "image/webp"})));
				rest = rest.slice(8 + head.length + picture.length);
			}
		}
	}, ended);
}
