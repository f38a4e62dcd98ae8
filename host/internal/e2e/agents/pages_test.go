package agents

// logScript writes down what the elements below a root get, in the order in which they get it.
const logScript = `
const log = [], waiting = new Set();
function note(entry) {
  log.push(entry);
  for (const look of [...waiting]) look();
}
function take(type, id) {
  return new Promise(done => {
    const look = () => {
      if (!log.some(e => e.type === type && e.id === id)) return;
      waiting.delete(look);
      done(log.splice(0));
    };
    waiting.add(look);
    look();
  });
}
function watch(root) {
  const happened = e => {
    const target = e.target, box = target.getBoundingClientRect ? target.getBoundingClientRect() : {};
    return {
      type: e.type, id: target.id ?? "", trusted: e.isTrusted, key: e.key ?? "", button: e.button ?? 0, value: String(target.value ?? target.textContent ?? ""),
      inside: e.clientX === undefined || e.clientX >= box.left && e.clientX <= box.right && e.clientY >= box.top && e.clientY <= box.bottom,
    };
  };
  for (const type of ["click", "dblclick", "contextmenu", "keydown", "input", "change", "drop", "scroll", "submit"]) {
    root.addEventListener(type, e => note(happened(e)), {capture: true});
  }
  // The browser makes up a mouseover where a document comes to lie under a pointer at rest: it counts once that moves.
  let entered = null;
  root.addEventListener("mouseover", e => { entered = happened(e) }, {capture: true});
  root.addEventListener("mousemove", () => { if (entered) note(entered); entered = null }, {capture: true});
}
function say(type, id, value) { note({type, id, value: String(value), trusted: true, inside: true}) }
function fill(root, html) {
  const into = root instanceof ShadowRoot ? root : root.appendChild(document.createElement("div"));
  into.innerHTML = html;
  watch(root instanceof ShadowRoot ? root : document);
  return id => (root instanceof ShadowRoot ? root : document).getElementById(id);
}
`

// playScript makes a page with one of everything that can be acted on.
const playScript = `
function make(root) {
  const $ = fill(root, ` + "`" + `
<style>
  button, [role=button], a { display: inline-block; margin: 3px; padding: 4px 9px; border: 1px solid; font: 16px sans-serif }
  #save { background: rgb(0, 160, 80); color: black; width: 120px; height: 40px }
  #pane { height: 60px; width: 300px; overflow: auto; border: 1px solid } #pane div { height: 900px }
  #edit { border: 1px solid; min-height: 20px; width: 200px }
</style>
<p id=text>The text of the place</p>
<button id=save>Save</button> <a id=link href="/after">Link</a> <a id=hash href="#part">Hash</a> <a id=blank href="{{localhost}}/two" target=_blank>Blank</a>
<p><label>Name <input id=name value=old></label> <label>Notes <textarea id=notes>old</textarea></label> <label>Day <input type=date id=day></label></p>
<p><label><input type=checkbox id=box> Box</label> <label><input type=radio name=colour id=red checked> Red</label>
<label><input type=radio name=colour id=blue> Blue</label>
<label>Size <select id=size><option value=s>Small<option value=m>Medium<option value=l>Large</select></label>
<label>File <input type=file id=file></label></p>
<form id=form><input id=query aria-label=Query></form>
<p><span id=source role=button tabindex=0 draggable=true>Source</span> <span id=goal role=button tabindex=0>Goal</span> <button id=over>Over</button></p>
<div id=pane role=button tabindex=0 aria-label=Pane><div>top of the pane</div></div>
<div id=edit contenteditable role=textbox aria-label=Edit>old</div>
<img id=logo src="/logo.svg" alt=Logo width=40 height=20>
<p><button id=later>Later</button> <span id=late hidden>It is late</span> <button id=veil>Veil</button> <span id=veiled hidden>veiled</span></p>
<p><a id=download href="/file.bin" download="file.bin">Download</a> <button id=chooser>Chooser</button> <input type=file id=hidden-file style="display: none">
<button id=ask>Ask</button> <button id=twice>Twice</button> <button id=tell>Tell</button> <button id=fail>Fail</button></p>
` + "`" + `);
  $("source").ondragstart = e => e.dataTransfer.setData("text/plain", "cargo");
  $("goal").ondragover = e => e.preventDefault();
  $("goal").ondrop = e => { e.preventDefault(); say("dropped", "goal", e.dataTransfer.getData("text/plain")) };
  $("form").onsubmit = e => e.preventDefault();
  $("later").onclick = () => setTimeout(() => { $("late").hidden = false }, 100);
  $("veil").onclick = () => { $("veiled").hidden = false; setTimeout(() => { $("veiled").hidden = true }, 150) };
  $("chooser").onclick = () => $("hidden-file").click();
  for (const id of ["file", "hidden-file"]) $(id).addEventListener("change", () => say("files", id, [...$(id).files].map(f => f.name + " " + f.size)));
  $("ask").onclick = () => say("answer", "ask", prompt("What?", "the default"));
  $("twice").onclick = () => say("answer", "twice", confirm("one") + " " + confirm("two"));
  $("tell").onclick = () => console.log("told", location.pathname);
  $("fail").onclick = () => { throw new Error("failed at " + location.pathname) };
  globalThis.find = $;
  const ready = document.createElement("i");
  ready.id = "ready";
  document.body.append(ready);
}
`

const logo = `<svg xmlns="http://www.w3.org/2000/svg" width="80" height="40"><rect width="80" height="40" fill="teal"/></svg>`

const fileContent = "the content of a file"

// wallScript makes a page on which nothing can be acted on as it is.
const wallScript = `
function make(root) {
  const $ = fill(root, ` + "`" + `
<style>
  @keyframes move { to { transform: translateX(300px) } }
  #wall { position: relative; height: 560px } #wall button { position: absolute; left: 10px; width: 130px; height: 34px }
  #cover { position: absolute; inset: 0 0 auto 0; height: 50px; background: tomato }
  #clip { position: absolute; top: 300px; left: 300px; width: 60px; height: 30px; overflow: clip }
</style>
<div id=wall>
<button id=covered style="top: 5px">Covered</button><div id=cover role=dialog aria-label=Cookies></div>
<button id=disabled disabled style="top: 60px">Disabled</button>
<div aria-disabled=true id=group><button id=aria style="top: 100px">Aria</button></div>
<div inert id=frozen><button id=inert style="top: 140px">Inert</button></div>
<button id=hidden style="top: 180px; visibility: hidden">Hidden</button>
<div id=none style="display: none"><button id=within>Within</button></div>
<button id=zero style="top: 220px; width: 0; height: 0; padding: 0; border: 0; overflow: hidden">Zero</button>
<button id=moving style="top: 260px; animation: move 0.7s infinite linear">Moving</button>
<button id=outside style="top: -900px">Outside</button>
<div id=clip><button id=clipped style="top: 100px">Clipped</button></div>
<button id=through style="top: 340px; pointer-events: none">Through</button>
<button id=leaving style="top: 380px; animation: move 0.7s infinite linear">Leaving</button>
<button id=twin class=twin style="top: 420px">Twin</button><button id=twin2 class=twin style="top: 420px; left: 200px">Twin</button>
<input id=fixed aria-label=Fixed readonly value=x style="position: absolute; top: 460px"><select id=size aria-label=Size style="position: absolute; top: 460px; left: 300px"><option value=s>Small<option value=m disabled>Medium</select>
<div id=stubborn role=checkbox aria-checked=false tabindex=0 style="position: absolute; top: 500px">Stubborn</div>
<input type=date id=day aria-label=Day style="position: absolute; top: 500px; left: 300px"><input type=file id=file aria-label=File style="position: absolute; top: 530px; left: 300px">
</div>
` + "`" + `);
  globalThis.find = $;
  globalThis.remove = (id, ms) => setTimeout(() => { $(id).remove() }, ms);
  const ready = document.createElement("i");
  ready.id = "ready";
  document.body.append(ready);
}
`
