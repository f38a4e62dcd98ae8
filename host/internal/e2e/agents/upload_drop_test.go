package agents

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host"
)

// Files are dropped on what opens no file chooser, under the same rules, and never opened by the browser.
func TestFilesAreDroppedWhereAPageTakesThem(t *testing.T) {
	t.Parallel()
	file := writeFile(t)
	u := newBench(t, common.Address(t), host.Options{UploadRoots: []string{filepath.Dir(file)}}).newUser(t, host.TaskOptions{})
	const zone = `globalThis.got = []; globalThis.steps = [];
		for (const type of ["dragenter", "dragover", "dragleave", "drop"]) zone.addEventListener(type, e => { steps.push(type); if (!refuses) e.preventDefault() });
		globalThis.refuses = false;
		globalThis.read = null;
		zone.addEventListener("drop", e => { read = (async () => { for (const f of e.dataTransfer.files) got.push(e.target.id + " " + f.name + " " + await f.text() + " " + e.dataTransfer.types) })() }); 0`
	u.body(`<div id=zone style="padding: 20px"><b id=inner style="display: block">Drop here</b></div><p id=plain>plain</p>`, zone)
	r := u.good("browser_upload", arguments{"selector": "#zone", "paths": []string{file, file}})
	want(t, r, "dropped", "true")
	want(t, r, "uploaded", "2")
	is(t, "what was dropped", u.value("await read, got"), `["inner a.txt hello Files","inner a.txt hello Files"]`)
	is(t, "how", u.value("steps.join()"), `"dragenter,dragover,drop"`)

	u.value("refuses = true")
	u.bad("browser_upload", arguments{"selector": "#zone", "paths": []string{file}}, "not_actionable", "takes no dropped files")
	u.bad("browser_upload", arguments{"selector": "#plain", "paths": []string{file}}, "not_actionable", "takes no dropped files")
	secret := filepath.Join(t.TempDir(), "secret.txt")
	if err := os.WriteFile(secret, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	u.value("refuses = false; got = []")
	u.bad("browser_upload", arguments{"selector": "#zone", "paths": []string{secret}}, "refused", filepath.Dir(file))
	is(t, "what was dropped", u.value("[got, location.pathname]"), `[[],"/two"]`)

	// A page cannot make the browser open the file by leaving the drop unhandled.
	u.value("zone.addEventListener('dragover', e => e.preventDefault()); addEventListener('drop', e => { e.stopImmediatePropagation() }, true); refuses = true")
	u.bad("browser_upload", arguments{"selector": "#zone", "paths": []string{file}}, "not_actionable")
	is(t, "the page", u.value("location.pathname"), `"/two"`)

	// The same within a closed shadow root of a frame of another origin.
	u.body(`<iframe id=f></iframe>`, "0")
	u.value(`f.src = location.href.replace("localhost", "127.0.0.1"); await new Promise(r => f.onload = r); 1`)
	frame := u.SettledSnapshot(u.ctx).Page().FrameTree.Children[0].FrameID
	u.good("browser_evaluate", arguments{"frame_id": frame, "expression": `const root = document.body.attachShadow({mode: "closed"}); root.innerHTML = "<div id=zone>zone</div>";
		globalThis.took = ""; root.host.addEventListener("dragover", e => e.preventDefault());
		root.host.addEventListener("drop", e => { e.preventDefault(); took = e.dataTransfer.items[0].getAsFile().name }); 0`})
	want(t, u.good("browser_upload", arguments{"selector": "#zone", "paths": []string{file}}), "dropped", "true")
	want(t, u.good("browser_evaluate", arguments{"frame_id": frame, "expression": "took"}), "result", `"a.txt"`)
}
