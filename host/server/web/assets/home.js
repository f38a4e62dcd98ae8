import {html, useState} from "./preact-htm.js";
import {Ago, Table, taskLink, time} from "./parts.js";

function stateOf(t) {
	if (t.disconnected) return html`<span class="bad">disconnected: ${t.disconnected}</span>`;
	if (t.held) return html`<span class="bad">held by a person</span>`;
	if (t.questions?.length) return html`<span class="bad">asks a person</span>`;
	if (t.pending_dialogs) return html`<span class="bad">${t.pending_dialogs} pending</span>`;
	return t.idle_since ? "idle" : html`<span class="good">working</span>`;
}

const urgency = t => (t.questions?.length ? 4 : 0) + (t.pending_dialogs ? 2 : 0) + (t.held || t.disconnected ? 1 : 0);

export function Home({home}) {
	const [filter, setFilter] = useState("");
	const fits = t => !filter || [t.id, t.url, home.agents[t.id]].some(s => s?.toLowerCase().includes(filter.toLowerCase()));
	const list = home.tasks.filter(fits).sort((a, b) => urgency(b) - urgency(a) || (a.id < b.id ? -1 : 1));
	return html`<h1 tabindex="-1">Tasks</h1>
		<section>
			<div class="row"><label>Find <input type="search" value=${filter} onInput=${e => setFilter(e.target.value)}/></label>
				<span class="soft">${list.length} of ${home.tasks.length}</span></div>
			<${Table} name="Tasks" kind="tasks" empty="no task is running" head=${["Task", "Agent", "State", "Dialogs", "Age", "Idle", "Address"]}
				rows=${list.map(t => ({key: t.id, kind: urgency(t) ? "urgent" : "", cells: [
					html`<a href=${taskLink(t.id)}>${t.id}</a>`, home.agents[t.id] ?? "", stateOf(t), t.pending_dialogs || "",
					html`<${Ago} at=${t.began}/>`, t.idle_since ? html`<${Ago} at=${t.idle_since}/>` : "", t.url]}))}/>
		</section>
		<div class="two">
			<section><h2>Browsers</h2><${Table} name="Browsers" empty="none is running" head=${["Browser", "Tasks"]}
				rows=${(home.browsers ?? []).map((b, i) => ({key: i, cells: [nameOf(b), (b.tasks ?? []).map(t => t.id).join(", ")]}))}/>
				${home.tasks.filter(t => t.rented || t.fallback).map(t => html`<p class="soft">${t.id}: ${t.fallback || "rented from " + (t.rented.provider ?? "a service")}</p>`)}</section>
			<section><h2>Plugins</h2><${Table} name="Plugins" head=${["Plugin", "Generation", "Calls", "Faults", "State"]}
				rows=${home.plugins.map(p => ({key: p.name, cells: [html`<a href="#/plugins">${p.name}</a>`, p.generation, p.calls, p.faults, p.outage ? html`<span class="bad">${p.outage}</span>` : p.state]}))}/></section>
		</div>
		<section><h2>Lately</h2><${Table} name="Lately" empty="nothing yet" head=${["When", "Task", "What"]}
			rows=${home.lately.map((e, i) => ({key: i, cells: [time(e.at), html`<a href=${taskLink(e.task)}>${e.task}</a>`, e.text]}))}/></section>`;
}

const nameOf = b => [b.provider && `rented from ${b.provider}`, b.pid && `process ${b.pid}`, b.address, b.profile && `profile ${b.profile}`].filter(Boolean).join(", ") || "browser";
