import {html, useEffect, useRef, useState} from "./preact-htm.js";
import {get} from "./api.js";
import {Table, seconds, time, took, useDoing} from "./parts.js";

const {uPlot} = globalThis; // its file comes before the modules

const count = n => String(Math.round(n * 100) / 100);
const duration = s => took(s * 1e9);
const bytes = n => n < 1e6 ? `${Math.round(n / 1e3)} kB` : n < 1e9 ? `${Math.round(n / 1e6)} MB` : `${(n / 1e9).toFixed(2)} GB`;

// Each chart takes its series from a sample. What is counted is of the time since the sample before.
const list = [
	{name: "Dialogs", show: count, least: 1, whole: true, of: s => ({"opened": s.dialogs.opened, "closed": s.dialogs.closed, "open now": s.dialogs.open})},
	{name: "Calls of tools", show: count, least: 1, whole: true, of: s => ({"ended": s.calls.ended, "failed": s.calls.failed})},
	{name: "Time of a call", show: duration, least: .01, of: s => ({"half of them (p50)": s.calls.p50_seconds, "99 of 100 (p99)": s.calls.p99_seconds})},
	{name: "Time in plugins", show: duration, least: .001, of: s => s.plugin_seconds},
	{name: "Memory", show: bytes, least: 1e6, of: s => ({"daemon": s.bytes.daemon, "browsers": s.bytes.browsers, "plugins, of the daemon's": s.bytes.plugins})},
	{name: "Queues", show: count, least: 1, whole: true, of: s => s.queues},
];

// maxSeries is how many lines can be told apart. The others are added up.
const maxSeries = 6;
const dashes = [[], [8, 4], [2, 3], [12, 3, 3, 3], [5, 5], [1, 6]];

// seriesOf returns the names and values of a chart's series, those with the highest values first if there are many.
function seriesOf(chart, samples) {
	const rows = samples.map(chart.of);
	const most = {};
	for (const row of rows) for (const name in row) most[name] = Math.max(most[name] ?? 0, row[name] ?? 0);
	const names = Object.keys(most);
	const alone = names.length > maxSeries ? names.sort((a, b) => most[b] - most[a]).slice(0, maxSeries - 1) : names;
	const all = alone.map(name => ({name, values: rows.map(row => row[name] ?? null)}));
	const rest = names.filter(name => !alone.includes(name));
	if (rest.length) all.push({name: `${rest.length} others`, values: rows.map(row => rest.reduce((sum, name) => sum + (row[name] ?? 0), 0))});
	return all;
}

export function Charts({sample}) {
	const [lately, setLately] = useState(null);
	const [chosen, setChosen] = useState(null); // the time of a sample; null: always the newest
	const [run, busy, error] = useDoing();
	const visible = useVisible();
	const load = () => run(() => get("/v1/charts"), setLately);
	useEffect(() => { load(); }, []);
	useEffect(() => {
		if (!sample || !lately) return;
		const last = lately.samples.length ? seconds(lately.samples.at(-1).at) : 0, at = seconds(sample.at);
		if (at <= last) return;
		if (last && at - last > 1.5 * lately.interval_ms / 1000) { load(); return; } // some were missed
		setLately({...lately, samples: [...lately.samples.filter(s => seconds(s.at) > at - 3600), sample]});
	}, [sample, lately]);
	const drawn = useRef(null);
	if (visible || !drawn.current) drawn.current = lately; // a page that nobody sees is not drawn
	const samples = drawn.current?.samples ?? [];
	const newest = samples.length - 1;
	const found = chosen === null ? newest : samples.findIndex(s => seconds(s.at) >= chosen);
	const index = found < 0 ? newest : found;
	const choose = i => setChosen(i >= newest ? null : seconds(samples[i].at));
	return html`<h1 tabindex="-1">Charts of the last hour</h1>${error}
		${!samples.length ? html`<section><p role="status">${lately ? `There are no samples yet: the daemon takes one every ${lately.interval_ms / 1000} seconds.` : busy ? "Loading" : ""}</p></section>` : html`
		<section class="row"><label class="wide">Moment <input type="range" min="0" max=${newest} value=${index} aria-valuetext=${time(samples[index].at)} onInput=${e => choose(Number(e.target.value))}/></label>
			<span>${time(samples[index].at)}${chosen === null ? ", the newest" : ""}</span>
			<span class="soft">What is counted is of the ${drawn.current.interval_ms / 1000} seconds before. Times are estimates.</span></section>
		<div class="two">${list.map(c => html`<${Chart} key=${c.name} chart=${c} samples=${samples} index=${index} choose=${choose}/>`)}</div>`}`;
}

function Chart({chart, samples, index, choose}) {
	const series = seriesOf(chart, samples);
	const show = v => v === null || v === undefined ? "-" : chart.show(v);
	const rows = series.map(({name, values}, i) => {
		const known = values.filter(v => v !== null);
		return {name, i, at: show(values[index]), least: show(known.length ? Math.min(...known) : null), most: show(known.length ? Math.max(...known) : null)};
	});
	const said = rows.map(r => `${r.name} ${r.at}, least ${r.least}, most ${r.most}`).join("; ");
	return html`<section aria-label=${chart.name}><h2>${chart.name}</h2>
		<${Plot} chart=${chart} times=${samples.map(s => seconds(s.at))} series=${series} index=${index} choose=${choose} said=${said}/>
		<${Table} name=${"Numbers: " + chart.name} empty="nothing to show" head=${["Line", time(samples[index].at), "Least", "Most"]} kind="numbers"
			rows=${rows.map(r => ({key: r.name, cells: [html`<span class=${"key line-" + r.i} aria-hidden="true"></span> ${r.name}`, r.at, r.least, r.most]}))}/></section>`;
}

// Plot has the canvas, whose text alternative is in words, and the table below it.
function Plot({chart, times, series, index, choose, said}) {
	const place = useRef(null), plot = useRef(null), now = useRef(null);
	now.current = {choose};
	const names = series.map(s => s.name).join("\n");
	useEffect(() => {
		const css = getComputedStyle(place.current);
		const colour = i => getComputedStyle(place.current.parentElement.querySelector(".line-" + i) ?? place.current).color;
		const axis = {stroke: () => css.color, grid: {stroke: () => css.borderTopColor, width: 1}, ticks: {show: false}, font: "12px system-ui, sans-serif"};
		plot.current = new uPlot({
			width: Math.max(200, place.current.clientWidth), height: 180, padding: [8, 32, 0, 0], legend: {show: false},
			cursor: {y: false, drag: {x: false, y: false}, points: {show: false}},
			scales: {
				x: {range: (u, from, to) => [Math.min(from, to - 600), to]},
				y: {range: (u, from, to) => [0, 1.1 * Math.max(to ?? 0, chart.least)]},
			},
			axes: [{...axis, values: (u, at) => at.map(s => new Date(s * 1000).toLocaleTimeString([], {hour: "2-digit", minute: "2-digit"})), space: 70},
				{...axis, size: 70, values: (u, at) => at.map(chart.show), ...(chart.whole && {incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1e3, 2e3, 5e3, 1e4, 1e5, 1e6]})}],
			series: [{}, ...series.map((s, i) => ({label: s.name, stroke: () => colour(i), width: 2, dash: dashes[i], spanGaps: true}))],
			hooks: {setCursor: [u => { if (u.cursor.event && u.cursor.idx !== null) now.current.choose(u.cursor.idx); }]},
		}, [times, ...series.map(s => s.values)], place.current);
		const sized = new ResizeObserver(() => plot.current.setSize({width: Math.max(200, place.current.clientWidth), height: 180}));
		sized.observe(place.current);
		const dark = matchMedia("(prefers-color-scheme: dark)"), again = () => plot.current.redraw();
		dark.addEventListener("change", again);
		return () => { sized.disconnect(); dark.removeEventListener("change", again); plot.current.destroy(); };
	}, [names]);
	useEffect(() => plot.current.setData([times, ...series.map(s => s.values)]), [names, times.length, times.at(-1)]);
	useEffect(() => plot.current.setCursor({left: plot.current.valToPos(times[index], "x"), top: 0}, false), [index, times.at(-1)]);
	return html`<div class="plot" ref=${place} role="img" aria-label=${`${chart.name}: ${said}`}></div>`;
}

// useVisible says whether somebody can see the page.
function useVisible() {
	const [visible, set] = useState(!document.hidden);
	useEffect(() => {
		const changed = () => set(!document.hidden);
		document.addEventListener("visibilitychange", changed);
		return () => document.removeEventListener("visibilitychange", changed);
	}, []);
	return visible;
}
