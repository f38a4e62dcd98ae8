package e2e

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host"
)

// storing is a page that stores something in every way there is, and tells what it finds.
const storing = `<script>
const done = (r) => new Promise((yes, no) => { r.onsuccess = () => yes(r.result); r.onerror = () => no(r.error); });
async function put() {
  const loop = {name: "loop"}; loop.self = loop;
  localStorage.setItem("secret-item", "ä\ud800 " + origin);
  localStorage.setItem("length", "");
  sessionStorage.setItem("secret-session", "of a tab");
  document.cookie = "scripted=secret-cookie; max-age=100000; samesite=strict";
  const opening = indexedDB.open("shop", 3);
  opening.onupgradeneeded = () => {
    const byKey = opening.result.createObjectStore("by key");
    byKey.createIndex("tags", ["a", "b"], {unique: false});
    opening.result.createObjectStore("inline", {keyPath: "id", autoIncrement: true}).createIndex("one", "name", {unique: true, multiEntry: true});
  };
  const db = await done(opening), t = db.transaction(["by key", "inline"], "readwrite");
  t.objectStore("by key").put({plain: [1, "two", {three: true}]}, "text");
  t.objectStore("by key").put([NaN, -0, undefined, 12345678901234567890n, null, new Date(5), /a+/gi, loop], new Date(7));
  t.objectStore("by key").put(new Uint16Array([1, 65535]), new Uint8Array([1, 2]));
  t.objectStore("by key").put(null, [1, "x"]);
  t.objectStore("inline").put({name: "ä", bytes: new Uint8Array([200]).buffer});
  await new Promise((yes) => t.oncomplete = yes);
  db.close();
}
const show = (v, seen = []) => {
  if (Object.is(v, -0)) return "-0";
  if (typeof v === "bigint") return v + "n";
  if (v instanceof Date) return "date " + +v;
  if (v instanceof RegExp) return String(v);
  if (v instanceof ArrayBuffer) return "buffer " + new Uint8Array(v);
  if (ArrayBuffer.isView(v)) return v.constructor.name + " " + v;
  if (typeof v !== "object" || v === null) return typeof v === "string" ? JSON.stringify(v) : String(v);
  if (seen.includes(v)) return "again";
  const inner = [...seen, v];
  return Array.isArray(v) ? "[" + v.map((one) => show(one, inner)) + "]" : "{" + Object.entries(v).map(([k, one]) => k + ":" + show(one, inner)) + "}";
};
const items = () => Array.from({length: localStorage.length}, (_, i) => localStorage.key(i)).sort().map((k) => k + "=" + localStorage.getItem(k)).join();
async function tell() {
  const out = {local: items(), cookies: document.cookie, databases: []};
  for (const {name, version} of await indexedDB.databases()) {
    const db = await done(indexedDB.open(name));
    for (const s of db.objectStoreNames) {
      const objects = db.transaction(s).objectStore(s);
      const keys = await done(objects.getAllKeys()), values = await done(objects.getAll());
      const indexes = [...objects.indexNames].map((n) => objects.index(n)).map((i) => show([i.name, i.keyPath, i.unique, i.multiEntry]));
      out.databases.push([name, version, s, show(objects.keyPath), objects.autoIncrement, indexes, keys.map((k, i) => show(k) + "=" + show(values[i]))]);
    }
    db.close();
  }
  return JSON.stringify(out);
}
window.first = items();
</script>`

var storingPages = map[string]string{"/store": storing}

// wantStored is part of what every page must tell once its storage is there.
var wantStored = []string{`secret-item=ä`, `scripted=secret-cookie`, `12345678901234567890n`, `date 7=[NaN,-0,undefined`, `Uint16Array 1,65535`, `buffer 200`, `self:again`, `[1,\"x\"]=`}

// setHTTPOnly makes the page /in set a cookie that no script sees, and that is sent to no subdomain; /seen reports it.
func (s *site) setHTTPOnly() {
	s.Handle("/in", func(w http.ResponseWriter, _ *http.Request) {
		http.SetCookie(w, &http.Cookie{Name: "session", Value: "secret-http-only", HttpOnly: true, Path: "/"})
	})
	s.Handle("/seen", func(w http.ResponseWriter, r *http.Request) {
		if c, err := r.Cookie("session"); err == nil {
			_, _ = w.Write([]byte(c.Value))
		}
	})
}

// playwright runs storage.mjs and returns what the pages told.
func (w *world) playwright(action, file string, urls ...string) []string {
	w.t.Helper()
	modules, err := filepath.Abs(filepath.Join("..", "..", "..", ".cache", "adversary"))
	if err != nil {
		w.t.Fatal(err)
	}
	command := exec.CommandContext(w.ctx, "node", append([]string{filepath.Join("adversary", "storage.mjs"), modules, w.address, action, file}, urls...)...)
	command.Stderr, command.Env = os.Stderr, inTemporary(w.t)
	out, err := command.Output()
	if err != nil {
		w.t.Fatalf("playwright: %v", err)
	}
	var told []string
	if err := json.Unmarshal(out, &told); err != nil {
		w.t.Fatalf("playwright printed %s: %v", out, err)
	}
	return told
}

// tells opens a page of a host and returns what it tells.
func (w *world) tells(hostname string) (told string) {
	w.t.Helper()
	if err := commit(w.ctx, w.Tab(""), w.url(hostname, "/store")); err != nil {
		w.t.Fatal(err)
	}
	if err := json.Unmarshal([]byte(w.evaluate("tell()")), &told); err != nil {
		w.t.Fatal(err)
	}
	return told
}

// wantTold compares what pages tell with what they told when they stored it.
func wantTold(t *testing.T, before, after string) {
	t.Helper()
	if before != after {
		t.Errorf("a page that stored\n%s\nfinds\n%s", before, after)
	}
	for _, part := range wantStored {
		if !strings.Contains(after, part) {
			t.Errorf("%s is missing in %s", part, after)
		}
	}
}

// beside starts another task, with a browser context of its own, in the browser and the host of the world.
func (w *world) beside(o host.TaskOptions) *world {
	w.t.Helper()
	other := *w
	o.Scope = host.ScopeContext
	other.Task = attachAs(w.t, w.host, w.t.Name()+" beside", w.address, o)
	return &other
}

// What Playwright has saved is loaded here: cookies, localStorage and IndexedDB of all origins, before a page of them
// sees it, and without a request.
func TestAStateThatPlaywrightHasSavedIsLoaded(t *testing.T) {
	w := newWorldAlone(t, storingPages, host.TaskOptions{})
	w.setHTTPOnly()
	file := filepath.Join(t.TempDir(), "state.json")
	told := w.playwright("save", file, w.url("localhost", "/store"), w.url("127.0.0.1", "/store"))
	w.forget()
	sum, err := w.LoadState(w.ctx, file)
	if err != nil {
		t.Fatal(err)
	}
	if len(sum.Origins) != 2 || sum.Origins[0].Records != 5 || sum.Origins[0].LocalStorage != 1 || sum.Cookies != 2 {
		t.Errorf("the summary is %+v", sum)
	}
	if n := w.Visits("/") + w.Visits("/favicon.ico"); n != 0 {
		t.Errorf("%d requests left", n)
	}
	if tabs := len(w.Snapshot().Targets); tabs != 1 {
		t.Errorf("the task has %d tabs", tabs)
	}
	for i := range told { // Playwright does not save the value null, nor an item with the name length
		told[i] = strings.ReplaceAll(strings.ReplaceAll(told[i], `]=null`, `]=undefined`), "length=,", "")
	}
	wantTold(t, told[0], w.tells("localhost"))
	if first := w.evaluate("first"); !strings.Contains(first, "secret-item") {
		t.Errorf("the first script found %s", first)
	}
	wantTold(t, told[1], w.tells("127.0.0.1"))
}

// What is saved here, Playwright loads, and so does another task here.
func TestASavedStateIsLoadedByPlaywrightAndByAnotherTask(t *testing.T) {
	w := newWorldAlone(t, storingPages, host.TaskOptions{})
	w.setHTTPOnly()
	told := map[string]string{}
	for _, hostname := range []string{"localhost", "127.0.0.1"} { // the first is no longer open when it is saved
		_ = w.tells(hostname)
		w.evaluate("put()")
		w.evaluate(`fetch("/in").then(() => 0)`)
		told[hostname] = w.tells(hostname)
	}
	file := filepath.Join(t.TempDir(), "state.json")
	w.forget()
	sum, err := w.SaveState(w.ctx, file, nil)
	if err != nil {
		t.Fatal(err)
	}
	if n := w.Visits("/") + w.Visits("/favicon.ico"); n != 0 {
		t.Errorf("%d requests left", n)
	}
	if len(sum.Origins) != 2 || sum.Cookies != 4 || sum.Origins[1].SessionStorage != 1 || sum.Origins[0].Skipped != 0 {
		t.Errorf("the summary is %+v", sum)
	}
	if text := dumpJSON(t, sum); strings.Contains(text, "secret") {
		t.Errorf("the summary has values: %s", text)
	}
	for i, after := range w.playwright("load", file, w.url("localhost", "/store"), w.url("127.0.0.1", "/store")) {
		wantTold(t, told[[]string{"localhost", "127.0.0.1"}[i]], after)
	}

	other := w.beside(host.TaskOptions{StorageState: file, URL: w.url("localhost", "/store")})
	if err := other.Tab("").WaitLoad(w.ctx, host.WaitLoad); err != nil {
		t.Fatal(err)
	}
	if first := other.evaluate("first"); !strings.Contains(first, "secret-item") {
		t.Errorf("the first script of the first page found %s", first)
	}
	wantTold(t, told["localhost"], other.tells("localhost"))
	if got := other.evaluate(`fetch("/seen").then(r => r.text())`); got != `"secret-http-only"` {
		t.Errorf("the server saw the cookie %s", got)
	}
	if sum, err = other.LoadState(w.ctx, file); err != nil || sum.Origins[1].SessionStorage != 0 || sum.Origins[1].Waiting != 1 {
		t.Errorf("loaded while no tab shows the origin of the sessionStorage: %+v, %v", sum, err)
	}
	wantTold(t, told["127.0.0.1"], other.tells("127.0.0.1"))
	if got := other.evaluate(`sessionStorage.length`); got != "0" {
		t.Errorf("sessionStorage has %s items", got)
	}
	if sum, err = other.LoadState(w.ctx, file); err != nil || sum.Origins[1].SessionStorage != 1 || sum.Origins[1].Waiting != 0 {
		t.Errorf("loaded again: %+v, %v", sum, err)
	}
	if got := other.evaluate(`sessionStorage.getItem("secret-session")`); got != `"of a tab"` {
		t.Errorf("sessionStorage has %s", got)
	}
}

// A database that a page holds open is not replaced, and not removed later either, when the page lets go.
func TestADatabaseThatAPageHoldsIsKept(t *testing.T) {
	w := newWorldAlone(t, storingPages, host.TaskOptions{})
	_ = w.tells("localhost")
	w.evaluate("put()")
	file := filepath.Join(t.TempDir(), "state.json")
	if _, err := w.SaveState(w.ctx, file, nil); err != nil {
		t.Fatal(err)
	}
	w.evaluate(`done(indexedDB.open("shop")).then((db) => { window.held = db; localStorage.setItem("later", "1"); return 0 })`)
	before := w.evaluate("tell()")
	if _, err := w.LoadState(w.ctx, file); !errors.Is(err, host.ErrFailed) || !strings.Contains(err.Error(), "has a database open") {
		t.Errorf("loading says: %v", err)
	}
	if after := w.evaluate("held.close(), tell()"); after != before {
		t.Errorf("there was %s, and there is %s", before, after)
	}
	if _, err := w.LoadState(w.ctx, file); err != nil {
		t.Errorf("once the page has let go: %v", err)
	}
	if after := w.evaluate("tell()"); strings.Contains(after, "later") || !strings.Contains(after, "12345678901234567890n") {
		t.Errorf("there is %s", after)
	}
}

// A service worker answers for its site, and no part of it sees the page in which storage is read.
func TestNoServiceWorkerSeesThatAStateIsSaved(t *testing.T) {
	w := newWorldAlone(t, map[string]string{
		"/worker":    `<script>navigator.serviceWorker.register("/worker.js").then(() => navigator.serviceWorker.ready).then(() => report("ready"))</script>`,
		"/worker.js": `self.onfetch = (e) => e.respondWith(fetch("{{127.0.0.1}}/report/seen", {method: "POST", mode: "no-cors", body: "1"}).then(() => new Response("mine")))`,
		"/store":     storing,
	}, host.TaskOptions{})
	w.open("/worker")
	w.reported("ready")
	w.evaluate(`localStorage.setItem("a", "b"); 0`)
	if err := commit(w.ctx, w.Tab(""), "about:blank"); err != nil {
		t.Fatal(err)
	}
	sum, err := w.SaveState(w.ctx, filepath.Join(t.TempDir(), "state"), nil)
	if err != nil || len(sum.Origins) != 1 {
		t.Errorf("%+v, %v", sum, err)
	}
	if w.hasReported("seen") {
		t.Error("the service worker saw the page")
	}
}

// An encrypted state is as a whole or not at all, and the text of no error has a value.
func TestAnEncryptedStateIsLoadedWithItsKeyOnly(t *testing.T) {
	keys := map[string]string{}
	for _, name := range []string{"right", "wrong"} {
		keys[name] = base64.StdEncoding.EncodeToString(bytes.Repeat([]byte(name[:1]), 32))
	}
	w := newWorldAlone(t, storingPages, host.TaskOptions{})
	sealed := newWorldOn(t, w.address, host.Options{StateKey: keys["right"]}, storingPages, host.TaskOptions{})
	_ = sealed.tells("localhost")
	sealed.evaluate("put()")
	file := filepath.Join(t.TempDir(), "state")
	if _, err := sealed.SaveState(w.ctx, file, nil); err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(file)
	if err != nil || bytes.Contains(whole, []byte("secret")) {
		t.Fatalf("the file is not encrypted: %v", err)
	}
	changed := bytes.Clone(whole)
	changed[len(changed)-40] ^= 1
	for name, c := range map[string]struct {
		key  string
		file []byte
		want host.Code
	}{
		"no key":         {"", whole, host.ErrStateKey},
		"another key":    {keys["wrong"], whole, host.ErrStateKey},
		"cut":            {keys["right"], whole[:len(whole)-1], host.ErrBadState},
		"cut in head":    {keys["right"], whole[:40], host.ErrBadState},
		"changed":        {keys["right"], changed, host.ErrBadState},
		"not encrypted":  {keys["right"], []byte(`{"cookies": [], "origins": []}`), host.ErrStateKey},
		"cut plain file": {"", []byte(`{"cookies": [{"name": "n", "value": "secret`), host.ErrBadState},
		"wrong type":     {"", []byte(`{"cookies": [{"name": "n", "value": {"secret": 1}, "domain": "localhost"}]}`), host.ErrBadState},
		"late problem":   {"", []byte(`{"cookies": [{"name": "n", "value": "secret", "domain": "localhost"}], "origins": [{"origin": "secret"}]}`), host.ErrBadState},
	} {
		t.Run(name, func(t *testing.T) {
			if err := os.WriteFile(file, c.file, 0o600); err != nil {
				t.Fatal(err)
			}
			other := newHost(t, host.Options{StateKey: c.key})
			task := attach(t, other, w.address, host.TaskOptions{Scope: host.ScopeContext})
			_, err := task.LoadState(w.ctx, file)
			if host.CodeOf(err) != c.want || strings.Contains(err.Error(), "secret") {
				t.Errorf("%v", err)
			}
			empty := filepath.Join(t.TempDir(), "after")
			if sum, err := task.SaveState(w.ctx, empty, &host.SaveStateOptions{Origins: []string{w.url("localhost", "")}}); err != nil || sum.Cookies+len(sum.Origins) != 0 {
				t.Errorf("of a file that cannot be loaded there is %+v, %v", sum, err)
			}
		})
	}
	if _, err := host.New(w.ctx, &host.Options{StateKey: "short"}); !errors.Is(err, host.ErrStateKey) {
		t.Errorf("a key that is none: %v", err)
	}
}

func dumpJSON(t *testing.T, v any) string {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
