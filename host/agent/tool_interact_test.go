package agent

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/hermes-cdp/hermes-cdp/host"
)

func TestInteractDoesAList(t *testing.T) {
	w := newWorld(t, map[string]string{"/": formPage}, Options{})
	var steps []string
	list := `{"url":"SITE/","actions":[
		{"action":"fill","selector":"#name","text":"Ada"},
		{"action":"click","selector":"#save"},
		{"action":"dblclick","selector":"#twice"},
		{"action":"check","selector":"#box"},
		{"action":"select","selector":"#size","values":["l"]},
		{"action":"wait_for_selector","selector":"#save","state":"attached"},
		{"action":"sleep","ms":1},
		{"action":"extract_text","selector":"h1"},
		{"action":"scroll","direction":"down"},
		{"action":"press","key":"Tab"},
		{"action":"hover","selector":"#save"},
		{"action":"screenshot"}]}`
	r, err := w.registry.Call(w.ctx, Call{
		Task: "task", Name: "browser_interact", Arguments: json.RawMessage(strings.ReplaceAll(list, "SITE", w.site)),
		Progress: func(done, total float64, note string) {
			if total != 13 || int(done) != len(steps)+1 {
				t.Errorf("told of %v of %v", done, total)
			}
			steps = append(steps, note)
		},
	})
	if err != nil || r.IsError {
		t.Fatalf("%v: %s", err, show(r))
	}
	if len(steps) != 13 || steps[0] != "goto" || steps[12] != "screenshot" {
		t.Errorf("told of %v", steps)
	}
	want(t, r, "results.0.result.http_status", "200")
	want(t, r, "results.2.result.clicked", `"button \"Save\""`)
	want(t, r, "results.8.result.text", `"Form"`)
	want(t, r, "url", `"`+w.site+`/"`)
	if len(r.Images) != 1 || r.Images[0].MIMEType != "image/png" {
		t.Errorf("got %d pictures", len(r.Images))
	}
	want(t, w.good("browser_evaluate", `{"expression":"document.title"}`), "result", `"saved Ada"`)
}

func TestInteractGoesOnAfterAnErrorUnlessItIsToStop(t *testing.T) {
	w := newWorld(t, map[string]string{"/": formPage}, Options{})
	w.good("browser_navigate", `{"url":"SITE/"}`)
	const actions = `"actions":[{"action":"click","ref":"e999"},{"action":"extract_text","selector":"h1"}]`
	r := w.call("browser_interact", `{`+actions+`}`)
	want(t, r, "success", "false")
	want(t, r, "results.0.kind", `"unknown_ref"`)
	want(t, r, "results.1.success", "true")
	want(t, r, "aborted", "null")
	stopped := w.call("browser_interact", `{"stop_on_error":true,`+actions+`}`)
	want(t, stopped, "aborted", "true")
	want(t, stopped, "abort_reason", `"stop_on_error"`)
	if n := len(stopped.Structured["results"].([]any)); n != 1 || !stopped.IsError {
		t.Errorf("%d actions were done", n)
	}
}

func TestAFailedNavigationAlwaysAborts(t *testing.T) {
	w := newWorld(t, map[string]string{"/": formPage}, Options{})
	w.good("browser_navigate", `{"url":"SITE/"}`)
	r := w.call("browser_interact", `{"actions":[{"action":"extract_text"},{"action":"goto","url":"http://127.0.0.1:1/"},{"action":"extract_text"}]}`)
	want(t, r, "abort_reason", `"goto_failed"`)
	want(t, r, "results.1.kind", `"navigation_failed"`)
	initial := w.call("browser_interact", `{"url":"http://127.0.0.1:1/","actions":[{"action":"extract_text"}]}`)
	want(t, initial, "abort_reason", `"initial_goto_failed"`)
}

func TestWaitForHiddenComesBeforeTheClick(t *testing.T) {
	w := newWorld(t, map[string]string{"/": formPage + `<p id=busy>busy</p>`}, Options{})
	w.good("browser_navigate", `{"url":"SITE/"}`)
	r := w.call("browser_interact", `{"actions":[{"action":"click","selector":"#save","wait_for_hidden":"#busy","timeout_ms":4000}]}`)
	want(t, r, "results.0.error", `"wait_for_hidden(#busy) timed out before click(#save)"`)
	want(t, r, "results.0.kind", `"timeout"`)
}

func TestADialogInTheMiddleOfAListIsAnsweredAndTheRestIsDone(t *testing.T) {
	w := newWorld(t, map[string]string{"/": `<button id=ask onclick="this.textContent = confirm('one') + ',' + confirm('two')">Ask</button>`}, Options{})
	w.good("browser_navigate", `{"url":"SITE/"}`)
	blocked := w.bad("browser_interact", `{"actions":[{"action":"click","selector":"#ask"},{"action":"extract_text","selector":"#ask"}]}`, host.ErrBlockedByDialog)
	call := field(t, blocked, "call_id")
	w.good("browser_dialog", `{"action":"accept"}`)
	again := w.bad("browser_resume", `{"call_id":`+call+`}`, host.ErrBlockedByDialog)
	want(t, again, "call_id", call)
	w.good("browser_dialog", `{"action":"dismiss"}`)
	r := w.good("browser_resume", `{"call_id":`+call+`}`)
	want(t, r, "results.0.result.clicked", `"button \"Ask\""`)
	want(t, r, "results.1.result.text", `"true,false"`)
}

func TestAListIsBounded(t *testing.T) {
	w := newWorld(t, map[string]string{"/": ""}, Options{})
	w.bad("browser_interact", `{"actions":[]}`, host.ErrBadArguments)
	w.bad("browser_interact", `{"actions":[`+strings.Repeat(`{"action":"sleep","ms":1},`, 100)+`{"action":"sleep","ms":1}]}`, host.ErrBadArguments)
	r := w.bad("browser_interact", `{"actions":[{"action":"sleep","ms":1},{"action":"click"}]}`, host.ErrBadArguments)
	if !strings.Contains(r.Text, "actions[1].ref") {
		t.Errorf("the error does not name the action: %s", r.Text)
	}
	w.bad("browser_interact", `{"actions":[{"action":"sleep","ms":30001}]}`, host.ErrBadArguments)
	late := w.call("browser_interact", `{"timeout_ms":200,"actions":[{"action":"sleep","ms":30000},{"action":"sleep","ms":1}]}`)
	want(t, late, "abort_reason", `"timeout"`)
	if text := field(t, late, "results.0.error"); !strings.Contains(text, "longer timeout") {
		t.Errorf("the error of the sleep: %s", text)
	}
}

func TestPicturesAreKeptForAWhile(t *testing.T) {
	dir := t.TempDir()
	old := filepath.Join(dir, "hermes-cdp-old.png")
	foreign := filepath.Join(dir, "holiday.png")
	for _, path := range []string{old, foreign} {
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, time.Time{}, time.Unix(0, 0)); err != nil {
			t.Fatal(err)
		}
	}
	w := newWorld(t, map[string]string{"/": formPage}, Options{Browser: BrowserOptions{ScreenshotDir: dir}})
	w.good("browser_navigate", `{"url":"SITE/"}`)
	r := w.good("browser_vision", `{"question":"what is on it?","annotate":true}`)
	if len(r.Images) != 1 || !strings.HasSuffix(r.Text, ">\nlook at the picture for: what is on it?") {
		t.Errorf("got %s", r.Text)
	}
	want(t, r, "annotations.0.role", `"textbox"`)
	var path string
	if err := json.Unmarshal([]byte(field(t, r, "screenshot_path")), &path); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 || filepath.Dir(path) != dir {
		t.Errorf("the picture is %v: %v", info, err)
	}
	if _, err := os.Stat(old); !os.IsNotExist(err) {
		t.Errorf("the old picture is there still: %v", err)
	}
	if _, err := os.Stat(foreign); err != nil {
		t.Errorf("a file that is not ours was removed: %v", err)
	}
}

func TestDownload(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "downloads")
	w := newWorld(t, map[string]string{"/": `<a id=get download="report.txt" href="data:text/plain,hello">get</a>`}, Options{Browser: BrowserOptions{DownloadDir: dir}})
	w.good("browser_navigate", `{"url":"SITE/"}`)
	r := w.good("browser_download", `{"selector":"#get"}`)
	want(t, r, "name", `"report.txt"`)
	want(t, r, "bytes", "5")
	if text, err := os.ReadFile(filepath.Join(dir, "report.txt")); err != nil || string(text) != "hello" {
		t.Errorf("got %q: %v", text, err)
	}
}
