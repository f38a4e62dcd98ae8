import {html, useEffect, useState} from "./preact-htm.js";

export const seconds = at => typeof at === "number" ? at : Date.parse(at) / 1000;

// Ago says how long ago something was.
export function Ago({at}) {
	const [, look] = useState(0);
	useEffect(() => {
		const timer = setInterval(() => look(n => n + 1), 5000);
		return () => clearInterval(timer);
	}, []);
	if (!at) return html`<span class="soft">-</span>`;
	const s = Math.max(0, Date.now() / 1000 - seconds(at));
	const text = s < 5 ? "now" : s < 60 ? `${Math.floor(s)} s` : s < 3600 ? `${Math.floor(s / 60)} min` : s < 86400 ? `${Math.floor(s / 3600)} h` : `${Math.floor(s / 86400)} d`;
	return html`<time datetime=${new Date(seconds(at) * 1000).toISOString()}>${text}</time>`;
}

export const time = at => new Date(seconds(at) * 1000).toLocaleTimeString();
export const took = ns => ns < 1e6 ? `${Math.round(ns / 1e3)} µs` : ns < 1e9 ? `${Math.round(ns / 1e6)} ms` : `${(ns / 1e9).toFixed(1)} s`;
export const taskLink = id => "#/task/" + encodeURIComponent(id);

// useDoing gives a function that does something and shows why it failed.
export function useDoing() {
	const [state, set] = useState({});
	const run = async (what, then) => {
		set({busy: true});
		try { const result = await what(); set({}); then?.(result); } catch (e) { set({error: e.message}); }
	};
	return [run, state.busy, state.error ? html`<p class="bad" role="alert">${state.error}</p>` : null];
}

// Table shows rows; cells are texts or markup. A scrolling table can be reached by the keyboard.
export function Table({name, head, rows, empty, kind}) {
	if (!rows.length) return html`<p class="soft">${empty ?? "none"}</p>`;
	return html`<div class="scroll" tabindex="0" role="region" aria-label=${name}><table class=${kind}>
		<thead><tr>${head.map(h => html`<th scope="col">${h}</th>`)}</tr></thead>
		<tbody>${rows.map(r => html`<tr key=${r.key} class=${r.kind}>${r.cells.map((c, i) => html`<td data-name=${head[i]}>${c}</td>`)}</tr>`)}</tbody></table></div>`;
}

// Dialog is one open dialog with what a person can do about it.
export function Dialog({dialog: d, answer}) {
	const [text, setText] = useState(d.default_prompt ?? "");
	const [run, busy, error] = useDoing();
	const close = accept => run(() => answer(d.id, accept, d.type === "prompt" && accept ? text : undefined));
	return html`<div class="row" role="group" aria-label=${"dialog " + d.id}>
		<span><strong>${d.type}</strong> ${d.id}, ${d.origin || d.url}: “${d.message}”</span>
		${d.type === "prompt" && html`<label>Answer <input value=${text} onInput=${e => setText(e.target.value)}/></label>`}
		<button class="main" disabled=${busy} onClick=${() => close(true)}>Accept</button>
		<button disabled=${busy} onClick=${() => close(false)}>Dismiss</button>${error}</div>`;
}

// Question is one question of an agent, or of a plugin about a call of the agent.
export function Question({question: q, answer}) {
	const [text, setText] = useState("");
	const [run, busy, error] = useDoing();
	return html`<form class="row" onSubmit=${e => { e.preventDefault(); run(() => answer(q.id, text)); }}>
		<label>${q.plugin ? `Plugin ${q.plugin} asks` : "The agent asks"}: “${q.text}” <input required value=${text} onInput=${e => setText(e.target.value)}/></label>
		<button class="main" disabled=${busy}>Answer</button>${error}</form>`;
}
