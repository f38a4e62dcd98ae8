import {html, useState} from "./preact-htm.js";
import {get, post, send} from "./api.js";
import {Table, time, useDoing} from "./parts.js";

export function Plugins({home}) {
	const [module, setModule] = useState(null);
	return html`<h1 tabindex="-1">Plugins</h1>
		<${Check} module=${module} checked=${setModule}/>
		${home.plugins.map(p => html`<${Plugin} key=${p.name} plugin=${p} module=${module?.report.ok ? module : null}/>`)}`;
}

// Check takes a module, checks it, and puts nothing into service.
function Check({module, checked}) {
	const [run, busy, error] = useDoing();
	const take = file => { if (file) run(async () => ({file, report: await send("/live/check", file)}), checked); };
	return html`<section aria-label="Check a module"><div class="drop" onDragOver=${e => e.preventDefault()} onDrop=${e => { e.preventDefault(); take(e.dataTransfer.files[0]); }}>
			<label>Drop a .wasm file here to check it, or choose one <input type="file" accept=".wasm" disabled=${busy} onChange=${e => take(e.target.files[0])}/></label></div>
		${busy && html`<p role="status">Checking</p>`}${error}
		${module && html`<div role="status"><p><strong>${module.file.name}</strong> ${module.report.ok ? html`<span class="good">passes every check</span>` : html`<span class="bad">does not pass</span>`} <code>${module.report.sha256.slice(0, 12)}</code></p>
			<${Table} name="Steps" head=${["Step", "Outcome", "Detail"]} rows=${module.report.steps.map((s, i) => ({key: i, cells: [s.name, s.outcome === "ok" ? s.outcome : html`<span class="bad">${s.outcome}</span>`, s.detail ?? ""]}))}/></div>`}</section>`;
}

async function base64(file) {
	const bytes = new Uint8Array(await file.arrayBuffer());
	let text = "";
	for (let i = 0; i < bytes.length; i += 0x8000) text += String.fromCharCode(...bytes.subarray(i, i + 0x8000));
	return btoa(text);
}

function Plugin({plugin: p, module}) {
	const [history, setHistory] = useState(null);
	const [shadow, setShadow] = useState(null);
	const [calls, setCalls] = useState(null);
	const [reason, setReason] = useState("");
	const [run, busy, error] = useDoing();
	const path = what => `/v1/plugins/${encodeURIComponent(p.name)}/${what}`;
	const refresh = async () => { setHistory(await get(path("history"))); setShadow(null); };
	const act = (what, body) => run(async () => { await post(path(what), null, body); await refresh(); });
	return html`<section aria-label=${p.name}><h2>${p.name} <span class="soft">generation ${p.generation}, ${p.source}</span></h2>
		<p>Serves ${p.hooks.join(", ") || "no hook"}. ${count(p.calls, "call")}, ${count(p.faults, "fault")}. <code>${p.sha256.slice(0, 12)}</code> ${p.outage && html`<span class="bad">${p.outage}</span>`}</p>
		${p.last_fault && html`<p class="bad">Last fault: ${p.last_fault.kind}, ${p.last_fault.detail}</p>`}
		${p.candidate && html`<p>Candidate: generation ${p.candidate.generation}, compared ${p.candidate.compared}, differing ${p.candidate.differing}</p>`}
		<div class="row">
			<label>Reason <input value=${reason} onInput=${e => setReason(e.target.value)}/></label>
			<button disabled=${busy || !module} onClick=${() => run(async () => { await post(path("shadow"), null, {wasm: await base64(module.file), reason}); await refresh(); })}>Shadow the checked module</button>
			<button disabled=${busy || !p.candidate} onClick=${() => act("promote", {reason})}>Promote</button>
			<button disabled=${busy || !p.candidate} onClick=${() => act("drop")}>Drop the candidate</button>
			<button disabled=${busy} onClick=${() => act("rollback", {reason})}>Roll back</button>
			<button disabled=${busy} onClick=${() => run(refresh)}>History</button>
			<button disabled=${busy || !p.candidate} onClick=${() => run(() => get(path("shadow")), setShadow)}>Differences</button>
			<button disabled=${busy} onClick=${() => run(() => get("/v1/journal", {plugin: p.name, max: 20}), setCalls)}>Recorded calls</button></div>${error}
		${history && html`<${Table} name=${"History of " + p.name} head=${["Generation", "State", "Since", "Source", "Trigger", "Calls", "Reason or error"]}
			rows=${history.map(g => ({key: g.number, cells: [g.number, g.state, time(g.since), g.source, g.trigger, g.calls, g.error || g.reason || ""]}))}/>`}
		${shadow && html`<${Table} name=${"Differences of " + p.name} empty="no differences" head=${["Call", "Task", "About", "In service", "Candidate"]}
			rows=${(shadow.differences ?? []).map((d, i) => ({key: i, cells: [d.sequence, d.task, d.subject ?? d.hook, html`<pre>${text(d.serving)}</pre>`, html`<pre>${text(d.candidate)}</pre>`]}))}/>`}
		${calls && html`<${Table} name=${"Recorded calls of " + p.name} empty="no recorded calls" head=${["Call", "Time", "Task", "Event", "Decision", "On the checked module"]}
			rows=${calls.toReversed().map(c => ({key: c.sequence, cells: [c.sequence, time(c.time), c.task ?? "", html`<${Event} call=${c}/>`, html`<pre>${decision(c)}</pre>`, html`<${Replay} call=${c} module=${module}/>`]}))}/>`}</section>`;
}

const Event = ({call: c}) => html`<details><summary>${c.hook} ${c.subject}</summary><pre>${JSON.stringify(c.event, null, 1)}</pre></details>`;

// Replay runs a recorded call on the module that was checked, which changes nothing.
function Replay({call: c, module}) {
	const [result, setResult] = useState(null);
	const [run, busy, error] = useDoing();
	const ask = async () => ({module, report: await send("/live/replay", module.file, {plugin: c.plugin, sequence: c.sequence})});
	return html`<button disabled=${busy || !module} aria-label=${`Run call ${c.sequence} on the checked module`} onClick=${() => run(ask, setResult)}>Run</button>
		<div role="status">${result?.module === module && result && html`<${Outcome} report=${result.report}/>`}</div>${error}`;
}

function Outcome({report: r}) {
	const [d] = r.differences;
	if (!r.calls) return html`not compared: ${r.skipped.incomplete ? "a part of the record is missing" : "the fault depends on the moment"}`;
	return html`${d ? html`<span class="bad">decides otherwise</span> <pre>${decision(d.after)}</pre>` : html`<span class="good">decides the same</span>`}
		${(d?.inexact || d?.masked_config) && html`<p>Secrets are masked in the record, which may be why.</p>`}${d?.deviation && html`<p>${d.deviation}</p>`}
		<p class="soft">fuel ${r.fuel_after}, recorded ${r.fuel_before}</p>`;
}

const decision = d => d.verdict ? text(d.verdict) : [d.outcome, d.fault, d.reason, d.detail].filter(Boolean).join(": ");

const count = (n, what) => `${n} ${what}${n === 1 ? "" : "s"}`;
const text = v => typeof v === "string" ? v : JSON.stringify(v ?? null, null, 1);
