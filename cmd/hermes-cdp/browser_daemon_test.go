//go:build unix

package main

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/cli"
	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/toolresult"
	"github.com/hermes-cdp/hermes-cdp/host/server/control"
)

const shop = `<!doctype html><title>Shop</title><h1>Tea</h1><label>Name <input id=name></label>
<select id=size><option value=s>Small</option><option value=l>Large</option></select>
<button id=buy onclick="document.title = confirm('Buy \u202e?') ? 'bought' : 'left'">Buy</button>
<a id=list href=/tea.txt download>Prices</a> <input id=up type=file>`

func shopSite(t *testing.T) string {
	t.Helper()
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/tea.txt" {
			w.Header().Set("Content-Disposition", "attachment")
		} else {
			w.Header().Set("Content-Type", "text/html")
		}
		_, _ = w.Write([]byte(shop))
	}))
	t.Cleanup(site.Close)
	return site.URL + "/"
}

// says runs a command that must end with an exit code, and looks for what it writes.
func (s *shell) says(exit int, stdout, stderr string, args ...string) string {
	s.t.Helper()
	out, errs, got := s.run(args...)
	if got != exit || !strings.Contains(out, stdout) || !strings.Contains(errs, stderr) || exit != exitOK && stdout == "" && out != "" {
		s.t.Errorf("%q: exit %d, want %d; stdout %q, want %q in it; stderr %q, want %q in it", args, got, exit, out, stdout, errs, stderr)
	}
	return out
}

// fed runs a command with something on its standard input.
func (s *shell) fed(input string, args ...string) (stdout string, exit int) {
	s.t.Helper()
	cmd := s.command(args...)
	cmd.Stdin = strings.NewReader(input)
	out, err := cmd.Output()
	var failed *exec.ExitError
	if err != nil && !errors.As(err, &failed) {
		s.t.Fatal(err)
	}
	return string(out), cmd.ProcessState.ExitCode()
}

func TestAJobIsDoneFromTheShell(t *testing.T) {
	s := newShell(t)
	page := shopSite(t)
	downloads := filepath.Join(s.dir, "downloads")
	s.says(exitUnreachable, "", "start one with hermes-cdp run", "browser", "snapshot")
	s.says(exitUnreachable, "", "start one with hermes-cdp run", "tools", "call", "browser_snapshot")
	d, at := s.startDaemon("--set", "browser.download_dir="+downloads)

	// The first call starts the task.
	s.says(exitOK, `- button "Buy" @e`, "", "browser", "navigate", page)
	s.says(exitOK, `[url="`+page+`tea.txt"]`, "", "browser", "snapshot", "--full")
	s.says(exitOK, `"Shop"`, "", "browser", "tabs")
	s.says(exitOK, `typed into textbox "Name"`, "", "browser", "type", "#name", "Ada")
	s.says(exitOK, "selected l", "", "browser", "select", "#size", "l")
	s.says(exitOK, "(string): Ada", "", "browser", "evaluate", "document.querySelector('#name').value")

	t.Run("a dialog is answered and the call resumed", func(t *testing.T) {
		s.t = t
		s.says(exitBlocked, "", "the result, once answered: hermes-cdp browser resume c-1\n", "browser", "click", "#buy")
		if list := s.says(exitOK, "d-1", "", "__complete", "dialog", "accept", ""); strings.ContainsRune(list, '\u202e') {
			t.Errorf("what turns the writing around is shown: %q", list)
		}
		s.says(exitOK, "c-1\n", "", "__complete", "browser", "resume", "")
		s.says(exitBlocked, "", "type the command again", "browser", "click", "#name")
		s.says(exitOK, "accepted", "", "dialog", "accept", "d-1")
		s.says(exitOK, `clicked button "Buy"`, "", "resume", "c-1") // which finds that it is a tool's
		s.says(exitOK, "bought", "", "browser", "evaluate", "document.title")
		out, errs, exit := s.run("browser", "evaluate", "confirm('Again?')", "--json")
		var object map[string]any
		var failed cli.ErrorJSON
		if json.Unmarshal([]byte(out), &object) != nil || json.Unmarshal([]byte(errs), &failed) != nil || exit != exitBlocked ||
			object["call_id"] != "c-2" || failed.Error.CallID != "c-2" || failed.Error.Code != "blocked_by_dialog" || len(failed.Error.Dialogs) != 1 {
			t.Errorf("as JSON: exit %d, %s, %s", exit, out, errs)
		}
		s.says(exitOK, "dismissed", "", "dialog", "dismiss")
		s.says(exitOK, "(boolean): false", "", "browser", "resume", "c-2")
		s.says(exitBlocked, "", "hermes-cdp resume c-3", "eval", "confirm('And from eval?')")
		s.says(exitOK, "accepted", "", "dialog", "accept")
		s.says(exitOK, "(boolean): true", "", "browser", "resume", "c-3") // also that of another command
	})
	t.Run("pictures are files", func(t *testing.T) {
		s.t = t
		file := filepath.Join(s.dir, "shot.png")
		s.says(exitOK, "picture written to "+file, "", "browser", "vision", "what does it cost?", "-o", file)
		png, err := os.ReadFile(file)
		if err != nil || !bytes.HasPrefix(png, []byte("\x89PNG")) {
			t.Errorf("the file has %d bytes, %v", len(png), err)
		}
		type pictured struct {
			Path     string               `json:"screenshot_path"`
			Pictures []toolresult.Picture `json:"pictures"`
		}
		if got := get[pictured](s, "browser", "screenshot"); len(got.Pictures) != 1 || got.Pictures[0].Path != got.Path || got.Pictures[0].Data != "" {
			t.Errorf("got %+v", got)
		}
		got := get[pictured](s, "browser", "screenshot", "--base64")
		if data, err := base64.StdEncoding.DecodeString(got.Pictures[0].Data); err != nil || !bytes.HasPrefix(data, []byte("\x89PNG")) {
			t.Errorf("the data is %d bytes, %v", len(data), err)
		}
	})
	t.Run("files come and go", func(t *testing.T) {
		s.t = t
		s.says(exitOK, filepath.Join(downloads, "tea.txt"), "", "browser", "download", "#list")
		s.says(exitOK, "gave 1 file ", "", "browser", "upload", "#up", "browser_daemon_test.go")
		s.says(exitOK, "browser_daemon_test.go", "", "browser", "evaluate", "document.querySelector('#up').files[0].name")
	})
	t.Run("actions come by standard input", func(t *testing.T) {
		s.t = t
		out, exit := s.fed(`[{"action":"fill","selector":"#name","text":"Bo"},{"action":"screenshot"}]`, "browser", "interact", "-")
		if exit != exitOK || !strings.Contains(out, `1 fill: typed into textbox "Name"`) {
			t.Errorf("exit %d: %s", exit, out)
		}
		if out, exit := s.fed(`{"key":"Tab"}`, "tools", "call", "browser_press", "-"); exit != exitOK || !strings.Contains(out, "pressed Tab") {
			t.Errorf("exit %d: %s", exit, out)
		}
	})
	t.Run("what goes wrong has an exit code", func(t *testing.T) {
		s.t = t
		s.says(exitFailed, "", "e99 was never given out", "browser", "click", "e99")
		s.says(exitTimeout, "", "in time", "browser", "wait-for", "--text", "nowhere", "--timeout-ms", "100")
		s.says(exitUsage, "", "--arg timeout_ms: want a whole number", "tools", "call", "browser_click", "--arg", "timeout_ms=1s")
		s.says(exitUsage, "", `unknown "selektor"`, "tools", "call", "browser_click", `{"selektor": "#buy"}`)
		s.says(exitUsage, "", `"nothing" is neither a toolset nor a tool`, "browser", "click", "e1", "--toolsets", "nothing")
		s.says(exitFailed, "", "unknown tool: browser_click is in none of the toolsets in use", "browser", "click", "e1", "--toolsets", "browser-read")
		s.says(exitFailed, "", `unknown tool "fly"`, "tools", "call", "fly", "--arg", "a=b")
	})
	t.Run("an interrupt ends the call in the page", func(t *testing.T) {
		s.t = t
		follower := s.start("events", "--follow", "--json")
		follower.stderr.next(t, "following")
		waiter := s.start("browser", "evaluate", "console.log('began'); new Promise(() => {})", "--timeout-ms", "600000")
		follower.stdout.next(t, "began")
		if exit := waiter.end(syscall.SIGINT); exit != exitFailed {
			t.Errorf("the exit code is %d", exit)
		}
		waiter.stderr.next(t, "interrupted: the call is ended in the page")
		follower.end(syscall.SIGINT)
		s.says(exitOK, "(number): 2", "", "browser", "evaluate", "1+1")
	})
	t.Run("a shell is told what there is", func(t *testing.T) {
		s.t = t
		s.says(exitOK, "\tbutton \"Buy\"\n", "", "__complete", "browser", "click", "")
		s.says(exitOK, "t1\t", "", "__complete", "browser", "tabs", "focus", "")
		s.says(exitOK, "t1\t", "", "__complete", "browser", "click", "--tab", "")
		s.says(exitOK, "default\t"+page, "", "__complete", "console", "--task", "")
		s.says(exitOK, "browser_click\tClick", "", "__complete", "tools", "call", "browser_c")
		s.says(exitOK, "button=\n:6", "", "__complete", "tools", "call", "browser_click", "--arg", "bu")
		s.says(exitOK, "button=left\n", "", "__complete", "tools", "call", "browser_click", "--arg", "button=")
		s.says(exitOK, "dialog-policy\n", "", "__complete", "plugin", "rollback", "")
		s.says(exitOK, "", "", "__complete", "browser", "click", "--task", "none", "--tab", "")
		if tasks := get[control.Status](s, "status").Tasks; len(tasks) != 1 {
			t.Errorf("a completion started a task: %+v", tasks)
		}
	})
	t.Run("several tasks", func(t *testing.T) {
		s.t = t
		s.says(exitOK, "t1 ", "", "browser", "tabs", "--task", "second")
		s.says(exitOK, "closed", "", "browser", "close") // the one that is called default
		s.says(exitOK, "about:blank", "", "browser", "tabs")
		s.says(exitOK, "t1 ", "", "browser", "tabs", "--task", "third")
		s.says(exitOK, "", "", "disconnect", "second")
	})
	s.t = t
	s.leavesNothing(d, at, syscall.SIGTERM)
}
