import {html, useEffect, useRef, useState} from "./preact-htm.js";
import {blob, get, pictures, post} from "./api.js";
import {Dialog, Question, Table, time, took, useDoing} from "./parts.js";

export function Task({id, home, view}) {
	const [tab, setTab] = useState("");
	const task = home.tasks.find(t => t.id === id);
	if (view?.gone || !task) return html`<h1 tabindex="-1">${id}</h1><section>This task is not running. <a href="#/">All tasks</a></section>`;
	if (!view) return html`<h1 tabindex="-1">${id}</h1>`;
	const on = {task: id}, s = view.snapshot;
	const answer = (dialog, accept, text) => post("/v1/dialogs/answer", on, {dialog_id: dialog, accept, prompt_text: text});
	return html`<h1 tabindex="-1">${id} <span class="soft">${home.agents[id] ?? ""}</span></h1>
		${(s.pending_dialogs.length > 0 || task.questions?.length > 0) && html`<section class="alert" aria-label="What waits for a person" aria-live="polite">
			${(task.questions ?? []).map(q => html`<${Question} key=${q.id} question=${q} answer=${(qid, a) => post("/v1/questions/answer", on, {id: qid, answer: a})}/>`)}
			${s.pending_dialogs.map(d => html`<${Dialog} key=${d.id} dialog=${d} answer=${answer}/>`)}</section>`}
		<div class="task">
			<div class="column">
				<${Hold} on=${on} held=${task.held}/>
				<${Live} key=${tab} on=${on} tab=${tab} held=${!!task.held} region=${task.questions?.find(q => q.region)?.region}/>
				<section><h2>Tabs</h2><ul>${view.tabs.map(t => html`<li key=${t.target_id}>
					<button aria-pressed=${(tab || s.tab_in_use) === t.target_id} onClick=${() => setTab(t.target_id)}>${t.handle}</button> ${t.title} <span class="soft">${t.url}</span>
					${t.popup ? " popup" : ""}${t.in_use ? html` <strong>in use</strong>` : ""}${t.crashed ? html` <span class="bad">crashed</span>` : ""}</li>`)}</ul></section>
				<${Frames} on=${on} targets=${s.targets}/>
				<section><h2>Calls of the agent</h2><${Table} name="Calls" empty="none yet" head=${["When", "Tool", "About", "Took", "Result"]}
					rows=${view.calls.toReversed().map(c => ({key: c.number, cells: [time(c.began), c.tool, c.about ?? "", c.running ? "running" : took(c.took_ns), c.code ? html`<span class="bad">${c.code}</span>` : c.running ? "" : html`<span class="good">done</span>`]}))}/></section>
			</div>
			<div class="column">
				<${Recent} on=${on} dialogs=${s.recent_dialogs}/>
				<section><h2>Console</h2><${Table} name="Console" empty="nothing was written" head=${["Type", "Text"]}
					rows=${s.console_messages.toReversed().map((m, i) => ({key: s.console_total - i, cells: [m.type === "error" ? html`<span class="bad">${m.type}</span>` : m.type, m.text]}))}/></section>
				<${Journal} on=${on}/>
				<${Recordings} on=${on} recorded=${task.recorded}/>
			</div>
		</div>`;
}

function Hold({on, held}) {
	const [note, setNote] = useState("");
	const [run, busy, error] = useDoing();
	if (!held) return html`<div class="row"><button class="main" disabled=${busy} onClick=${() => run(() => post("/v1/tasks/takeover", on))}>Take over</button>
		<span class="soft">The agent waits while you have the browser.</span>${error}</div>`;
	return html`<form class="card alert" onSubmit=${e => { e.preventDefault(); run(() => post("/v1/tasks/give-back", on, {note}), () => setNote("")); }}>
		<strong role="status">You have this browser since ${time(held.since)}; the agent waits.</strong>
		<div class="row"><label>Note for the agent <input value=${note} maxlength="4000" onInput=${e => setNote(e.target.value)}/></label>
			<button class="main" disabled=${busy}>Give back</button></div>${error}</form>`;
}

const part = (of, whole) => `${100 * of / whole}%`;

const modifiers = e => [e.ctrlKey && "Control", e.altKey && "Alt", e.metaKey && "Meta", e.shiftKey && "Shift"].filter(Boolean);

// Live shows a tab, and gives what a person does in the picture to the page, in order.
function Live({on, tab, held, region}) {
	const canvas = useRef(null), page = useRef(null), queue = useRef({list: [], busy: false});
	const [problem, setProblem] = useState("");
	const [size, setSize] = useState(null); // of the page, once there is a picture
	const [text, setText] = useState("");
	useEffect(() => pictures({...on, tab}, (head, picture) => {
		page.current = head;
		const c = canvas.current;
		if (!c) return;
		if (c.width !== picture.width || c.height !== picture.height) { c.width = picture.width; c.height = picture.height; }
		c.getContext("2d").drawImage(picture, 0, 0);
		picture.close();
		setSize(old => old?.width === head.page_width && old.height === head.page_height ? old : {width: head.page_width, height: head.page_height});
	}, e => { if (e) setProblem(e.message); }), []);
	const put = async input => {
		const q = queue.current, last = q.list.at(-1);
		if (last && last.kind === input.kind && input.kind === "text") last.text += input.text;
		else if (last && last.kind === input.kind && input.kind === "wheel") { last.dx += input.dx; last.dy += input.dy; }
		else q.list.push({...input, tab: page.current?.target_id ?? ""});
		if (q.busy) return;
		q.busy = true;
		while (q.list.length) {
			try { await post("/live/input", on, q.list.shift()); setProblem(""); }
			catch (e) { if (e.code !== "blocked_by_dialog") { setProblem(e.message); q.list = []; } }
		}
		q.busy = false;
	};
	const at = e => ({
		x: e.offsetX / canvas.current.clientWidth * page.current.page_width, y: e.offsetY / canvas.current.clientHeight * page.current.page_height,
	});
	const usable = () => held && page.current;
	const click = (e, button) => {
		if (!usable()) return;
		e.preventDefault();
		put({kind: "click", ...at(e), button, count: Math.min(Math.max(e.detail, 1), 3), modifiers: modifiers(e)});
	};
	const key = e => {
		if (!usable() || e.isComposing || ["Control", "Alt", "Meta", "Shift", "Dead", "Unidentified"].includes(e.key)) return;
		if (e.key === "Escape" && e.shiftKey) return e.currentTarget.blur();
		e.preventDefault();
		const plain = e.key.length === 1 && !e.ctrlKey && !e.metaKey && !e.altKey;
		put(plain ? {kind: "text", text: e.key} : {kind: "key", key: [...modifiers(e), e.key === " " ? "Space" : e.key].join("+")});
	};
	useEffect(() => { // not passive, so that the page around it stays where it is
		const c = canvas.current;
		const wheel = e => { if (usable()) { e.preventDefault(); put({kind: "wheel", ...at(e), dx: e.deltaX, dy: e.deltaY}); } };
		c.addEventListener("wheel", wheel, {passive: false});
		return () => c.removeEventListener("wheel", wheel);
	}, [held]);
	return html`<section aria-label="Live picture">
		<div class="picture"><canvas ref=${canvas} width="1280" height="800" class=${held ? "held" : ""} tabindex="0" role=${held ? "application" : "img"}
			aria-label=${held ? "Live picture of the page; clicks and keys go to the page, Shift+Escape leaves it" : "Live picture of the page"}
			onClick=${e => click(e, "left")} onContextMenu=${e => click(e, "right")} onKeyDown=${key}
			onPaste=${e => { if (usable()) put({kind: "text", text: e.clipboardData.getData("text")}); }}></canvas>
			${size && region && html`<div class="region" style=${{
				left: part(region.x, size.width), top: part(region.y, size.height), width: part(region.width, size.width), height: part(region.height, size.height),
			}}></div>`}</div>
		${!size && html`<p class="soft">No picture yet: the page has drawn nothing.</p>`}
		${held && html`<form class="row" onSubmit=${e => { e.preventDefault(); if (text) put({kind: "text", text}); setText(""); }}>
			<label>Type into the page <input value=${text} autocomplete="off" onInput=${e => setText(e.target.value)}/></label><button>Type</button>
			${["Enter", "Tab", "Backspace", "Escape"].map(k => html`<button type="button" onClick=${() => put({kind: "key", key: k})}>${k}</button>`)}</form>`}
		${problem && html`<p class="bad" role="alert">${problem}</p>`}</section>`;
}

// Frames shows the tree of frames of all tabs, also those that a plugin left out, and why.
function Frames({on, targets}) {
	const revision = targets.map(t => t.target_id + (t.frame_tree?.revision ?? "")).join();
	const [list, setList] = useState([]);
	useEffect(() => { get("/v1/frames/explain", on).then(setList, () => setList([])); }, [revision]);
	const below = (all, parent) => {
		const inside = all.filter(f => (f.parent_frame_id ?? "") === parent);
		return inside.length > 0 && html`<ul>${inside.map(f => html`<li key=${f.frame_id}>${f.name && html`<strong>${f.name}</strong> `}${f.url}
			${f.is_oopif ? html` <span class="soft">out of process</span>` : ""}${f.has_pending_dialog ? html` <span class="bad">dialog</span>` : ""}
			${f.kept ? "" : html` <span class="bad">left out${f.reason ? ": " + f.reason : ""}</span>`}${below(all, f.frame_id)}</li>`)}</ul>`;
	};
	return html`<section><h2>Frames</h2>${list.map(t => html`<div key=${t.target_id}>${below(t.frames, "")}
		<p class="soft">decided by ${t.decided_by.module ?? "the host"}, generation ${t.decided_by.generation ?? "-"}, in ${took(t.took_ns)}</p></div>`)}
		${!list.length && html`<p class="soft">none</p>`}</section>`;
}

function Recent({on, dialogs}) {
	const [told, setTold] = useState(null);
	const [run, , error] = useDoing();
	return html`<section><h2>Recent dialogs</h2><${Table} name="Recent dialogs" empty="none" head=${["Dialog", "Message", "Closed by", "Why"]}
		rows=${dialogs.toReversed().map(d => ({key: d.id, cells: [`${d.id} ${d.type}`, d.message, `${d.closed_by}${d.accepted ? ", accepted" : ", dismissed"}`,
			html`<button aria-label=${"Explain " + d.id} onClick=${() => run(() => get("/v1/dialogs/explain", {...on, dialog: d.id}), setTold)}>Explain</button>`]}))}/>${error}
		${told && html`<div role="status"><strong>${told.dialog.id}</strong>: ${told.dialog.action ?? "no action"}, rule ${told.dialog.decided_by?.rule || "none"}
			<ul>${told.calls.map(c => html`<li>${c.module}, generation ${c.generation}, call ${c.sequence}: ${c.outcome} in ${took(c.duration_ns)} ${c.fault ?? ""}</li>`)}
			${["asked", "decided", "answered", "closed"].map(k => told.timings[k + "_ns"] != null && html`<li>${k} after ${took(told.timings[k + "_ns"])}</li>`)}</ul>
			<pre tabindex="0" aria-label="Event and verdict">${JSON.stringify({event: told.event, verdict: told.verdict}, null, 2)}</pre></div>`}</section>`;
}

function Journal({on}) {
	const [list, setList] = useState(null);
	const [run, busy, error] = useDoing();
	return html`<section><h2>Journal</h2><button disabled=${busy} onClick=${() => run(() => get("/v1/journal", {...on, max: 100}), setList)}>${list ? "Read again" : "Read"}</button>${error}
		${list && html`<${Table} name="Journal" head=${["Call", "Plugin", "Hook", "About", "Outcome"]}
			rows=${list.toReversed().map((e, i) => ({key: i, cells: [e.sequence, e.plugin ?? e.module, e.hook, e.subject ?? "", e.outcome ?? e.status ?? ""]}))}/>`}</section>`;
}

function Recordings({on, recorded}) {
	const [list, setList] = useState([]);
	const [video, setVideo] = useState("");
	const [run, busy, error] = useDoing();
	const look = () => run(() => get("/live/recordings", on), setList);
	useEffect(() => { look(); }, [recorded]);
	useEffect(() => () => { if (video) URL.revokeObjectURL(video); }, [video]);
	return html`<section><h2>Recordings</h2>${recorded && html`<p>It is being recorded.</p>`}<${Table} name="Recordings" empty="none" head=${["When", "Length", "State", "Watch"]}
		rows=${list.map(r => ({key: r.id, cells: [time(r.began), r.duration_s.toFixed(1) + " s", r.state,
			html`<button disabled=${busy} onClick=${() => run(() => blob("/live/recordings/" + encodeURIComponent(r.id)), b => setVideo(URL.createObjectURL(b)))}>Watch</button>`]}))}/>${error}
		${video && html`<video controls src=${video} aria-label="Recording"></video>`}</section>`;
}
