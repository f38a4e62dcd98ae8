import {html, render, useEffect, useState} from "./preact-htm.js";
import {events, login} from "./api.js";
import {Home} from "./home.js";
import {Task} from "./task.js";
import {Charts} from "./charts.js";
import {Plugins} from "./plugins.js";

// place is what the address names: the home page, a task, plugins or charts.
function place() {
	const [, name, rest] = location.hash.split("/");
	return {name: name || "home", task: name === "task" ? decodeURIComponent(rest ?? "") : ""};
}

function Page() {
	const [at, setAt] = useState(place());
	const [home, setHome] = useState(null);
	const [view, setView] = useState(null);
	const [sample, setSample] = useState(null);
	const [problem, setProblem] = useState(null);
	useEffect(() => {
		const moved = () => { setAt(place()); setView(null); document.querySelector("h1")?.focus(); };
		addEventListener("hashchange", moved);
		return () => removeEventListener("hashchange", moved);
	}, []);
	useEffect(() => events("/live/stream", {task: at.task}, (name, data) => {
		setProblem(null);
		if (name === "home") setHome(data);
		if (name === "sample") setSample(data);
		if (name === "task") setView(data);
		if (name === "gone") setView({gone: true});
	}, e => setProblem(e ?? new Error("the daemon has ended the connection"))), [at.task]);
	useEffect(() => notify(home), [home]);
	const link = (name, text) => html`<a href=${"#/" + name} aria-current=${at.name === (name || "home") ? "page" : null}>${text}</a>`;
	return html`
		<a class="skip" href="#main" onClick=${e => { e.preventDefault(); document.querySelector("main").focus(); }}>Skip to the content</a>
		<header>
			<strong>hermes-cdp</strong>
			<nav aria-label="Pages">${link("", "Tasks")}${link("plugins", "Plugins")}${link("charts", "Charts")}<a href="/docs/">Documents</a></nav>
			<span class="state" role="status">${problem ? html`<span class="bad">${problem.code === "unauthorized" ? "not signed in" : "no connection: " + problem.message}</span>` : home ? "live" : "connecting"}</span>
		</header>
		<main id="main" tabindex="-1">${problem?.code === "unauthorized" ? html`<${SignIn} why=${problem.message}/>`
			: !home ? html`<h1>Loading</h1>`
			: at.name === "plugins" ? html`<${Plugins} home=${home}/>`
			: at.name === "charts" ? html`<${Charts} sample=${sample}/>`
			: at.task ? html`<${Task} key=${at.task} id=${at.task} home=${home} view=${view}/>`
			: html`<${Home} home=${home}/>`}</main>`;
}

function SignIn({why}) {
	return html`<section><h1 tabindex="-1">Sign in</h1><p class="soft">${why}</p>
		<p>This page is for whoever runs the daemon. <code>hermes-cdp ui</code> prints a link that opens it once, within ten minutes.</p></section>`;
}

// notify says in the title, and to screen readers, that somebody is waited for.
let waiting = 0;
function notify(home) {
	const now = (home?.tasks ?? []).reduce((n, t) => n + (t.questions?.length ?? 0) + t.pending_dialogs, 0);
	document.title = (now ? `(${now}) ` : "") + "hermes-cdp";
	if (now > waiting && document.hidden && globalThis.Notification?.permission === "granted") new Notification("hermes-cdp", {body: "A task waits for a person."});
	waiting = now;
}

let refused = null;
try { await login(); } catch (e) { refused = e; }
addEventListener("hashchange", async () => { if (location.hash.startsWith("#code=")) { await login(); location.reload(); } });
render(refused && !localStorage.getItem("hermes-cdp-key") ? html`<main><${SignIn} why=${refused.message}/></main>` : html`<${Page}/>`, document.body);
