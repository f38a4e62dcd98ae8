package pages

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host/agent"
)

// downloaded checks a file that browser_download kept, and gives its name in the directory.
func (w *world) downloaded(r agent.Result, content string) string {
	w.t.Helper()
	path := text(w.t, r, "path")
	got, err := os.ReadFile(path)
	if err != nil || string(got) != content {
		w.t.Errorf("the file %s has %q, %v; want %q", path, got, err, content)
	}
	if filepath.Dir(path) != w.downloads {
		w.t.Errorf("the file %s is not in %s", path, w.downloads)
	}
	want(w.t, r, "bytes", strconv.Itoa(len(content)))
	return filepath.Base(path)
}

// inFolder lists what is in the directory for downloads; what is unfinished goes a moment after the call.
func (w *world) inFolder(names ...string) {
	w.t.Helper()
	var found []string
	w.until(fmt.Sprint("the files ", names), "browser_tabs", nil, func(agent.Result) bool {
		entries, err := os.ReadDir(w.downloads)
		if err != nil {
			w.t.Fatal(err)
		}
		found = nil
		for _, e := range entries {
			if !e.IsDir() { // that of what arrives
				found = append(found, e.Name())
			}
		}
		return fmt.Sprint(found) == fmt.Sprint(names)
	})
}

func TestADownloadInANewTabIsSeen(t *testing.T) {
	w := newWorld(t, map[string]string{"/page": `<a id=blank href="/file" target=_blank>blank</a> <a id=opener href="/file" target=_blank rel=opener>opener</a>
<button id=opens onclick="window.open('/file')">opens</button> <button id=slowly onclick="window.open('about:blank').location = '/file'">slowly</button>
<iframe src="{{127.0.0.1}}/inner"></iframe>`, "/inner": `<a id=framed href="/file" target=_blank>framed</a><script>report('inner')</script>`})
	w.Handle("/file", file(`attachment; filename="report.txt"`, "the report"))
	w.open("/page")
	w.reported("inner")
	for i, id := range []string{"blank", "opener", "opens", "slowly", "framed"} {
		r := w.good("browser_download", args{"selector": "#" + id})
		name := "report.txt"
		if i > 0 {
			name = fmt.Sprintf("report (%d).txt", i)
		}
		is(t, "the name of "+id, w.downloaded(r, "the report"), name)
	}
	for _, id := range []string{"blank", "opener", "opens", "framed"} {
		r := w.good("browser_click", args{"selector": "#" + id})
		want(t, r, "downloads.0.name", `"report.txt"`)
		want(t, r, "new_tabs.0.closed", "true")
		want(t, r, "new_tabs.0.url", `"`+w.URL(map[bool]string{true: "127.0.0.1", false: "localhost"}[id == "framed"], "/file")+`"`)
		want(t, r, "new_tabs.1", "null")
		if !strings.Contains(r.Text, "already closed again") || !strings.Contains(r.Text, `report.txt`) {
			t.Errorf("%s: the text is %s", id, r.Text)
		}
	}
	w.good("browser_click", args{"selector": "#slowly"})
}

func TestADownloadFromAnyPlaceIsKept(t *testing.T) {
	w := newWorld(t, map[string]string{
		"/page": `<a id=data download="data.txt" href="data:text/plain,from%20data">data</a><a id=blob download="blob.txt">blob</a>
<button id=script onclick="const a = document.createElement('a'); a.href = blob.href; a.download = 'script.txt'; a.click()">script</button>
<form action="/form" method=post><input type=hidden name=a value=b><button id=form>form</button></form><iframe src="{{127.0.0.1}}/frame"></iframe>
<script>blob.href = URL.createObjectURL(new Blob(['from blob']))</script>`,
		"/frame": `<a id=link href="/file">link</a><a id=blob2 download="framed.txt">blob</a><div id=h></div>
<script>blob2.href = URL.createObjectURL(new Blob(['framed blob']));
h.attachShadow({mode: 'closed'}).innerHTML = '<a id=shadowed href="/file">in a shadow root</a>'; report('frame')</script>`,
	})
	w.Handle("/file", file(`attachment; filename=frame.bin`, "from a frame"))
	w.Handle("/form", func(rw http.ResponseWriter, r *http.Request) {
		file("attachment; filename=form.csv", "got "+r.PostFormValue("a"))(rw, r)
	})
	w.open("/page")
	w.reported("frame")
	for _, c := range []struct{ selector, name, content string }{
		{"#data", "data.txt", "from data"}, {"#blob", "blob.txt", "from blob"}, {"#script", "script.txt", "from blob"}, {"#form", "form.csv", "got b"},
		{"#link", "frame.bin", "from a frame"}, {"#blob2", "framed.txt", "framed blob"}, {"#shadowed", "frame (1).bin", "from a frame"},
	} {
		is(t, "the name of "+c.selector, w.downloaded(w.good("browser_download", args{"selector": c.selector}), c.content), c.name)
	}
	is(t, "the page", w.js("location.pathname"), `"/page"`)
	w.inFolder("blob.txt", "data.txt", "form.csv", "frame (1).bin", "frame.bin", "framed.txt", "script.txt")
}

// Whatever a server calls a file, it is one in the directory.
func TestTheNamesOfDownloadsAreSafe(t *testing.T) {
	w := newWorld(t, map[string]string{"/page": `<a href="/file" id=a>a</a>`})
	w.open("/page")
	for disposition, name := range map[string]string{
		`attachment; filename="../../etc/passwd"`:                         "",
		`attachment; filename="..\\..\\windows.ini"`:                      "",
		`attachment; filename="/etc/cron.d/job"`:                          "",
		`attachment; filename=".."`:                                       "",
		`attachment; filename=".bashrc"`:                                  "",
		`attachment; filename="%2e%2e%2fup.txt"`:                          "",
		`attachment; filename*=UTF-8''%E2%80%AEgnp.exe`:                   "",
		`attachment; filename*=UTF-8''%D8%AA%D9%82%D8%B1%D9%8A%D8%B1.pdf`: "تقرير.pdf",
		`attachment; filename*=UTF-8''gr%C3%B6%C3%9Fe%20%F0%9F%98%80.txt`: "größe 😀.txt",
		`attachment; filename="` + strings.Repeat("a", 400) + `.txt"`:     "",
	} {
		w.Handle("/file", file(disposition, "content"))
		got := w.downloaded(w.good("browser_download", args{"selector": "#a"}), "content")
		if strings.ContainsAny(got, "/\\\u202e") || strings.HasPrefix(got, ".") || len(got) > 200 || name != "" && got != name {
			t.Errorf("%s gave the name %q, want %q", disposition, got, name)
		}
	}
}

func TestAnInterruptedDownloadSaysSo(t *testing.T) {
	w := newWorld(t, map[string]string{"/page": `<a href="/file" id=a>a</a><button id=none>none</button>`})
	w.Handle("/file", func(rw http.ResponseWriter, _ *http.Request) {
		rw.Header().Set("Content-Disposition", "attachment; filename=half.bin")
		rw.Header().Set("Content-Length", "1000")
		_, _ = rw.Write(make([]byte, 100))
		rw.(http.Flusher).Flush()
		panic(http.ErrAbortHandler)
	})
	w.open("/page")
	w.bad("browser_download", args{"selector": "#a"}, "download_failed", "half.bin", "100 of 1000 bytes")
	w.inFolder()
	w.Handle("/file", file("attachment; filename=whole.bin", "whole"))
	is(t, "the name", w.downloaded(w.good("browser_download", args{"selector": "#a"}), "whole"), "whole.bin")
}

func TestADownloadThatIsLargerThanItsBudgetIsGivenUp(t *testing.T) {
	w := newWorld(t, map[string]string{"/page": `<a href="/file" id=a>a</a>`})
	gone := make(chan struct{})
	w.Handle("/file", func(rw http.ResponseWriter, r *http.Request) {
		rw.Header().Set("Content-Disposition", "attachment; filename=endless.bin")
		_, _ = rw.Write(make([]byte, 100_000))
		rw.(http.Flusher).Flush()
		<-r.Context().Done()
		close(gone)
	})
	w.open("/page")
	w.bad("browser_download", args{"selector": "#a", "timeout_ms": 3000}, "timeout", "endless.bin", "when it was canceled")
	select {
	case <-gone: // the browser no longer asks for it
	case <-w.ctx.Done():
		t.Fatal("the browser goes on downloading")
	}
	w.inFolder()
	w.Handle("/file", file("attachment; filename=small.bin", "small"))
	is(t, "the name", w.downloaded(w.good("browser_download", args{"selector": "#a"}), "small"), "small.bin")
}

// A file that comes beside the one that the call waits for is not lost, and not taken for it.
func TestAllFilesOfOneClickAreKept(t *testing.T) {
	w := newWorld(t, map[string]string{"/page": `<button onclick="for (const n of ['one', 'two']) { const a = document.createElement('a');
	a.href = 'data:text/plain,' + n; a.download = n + '.txt'; a.click() }">both</button>`})
	w.open("/page")
	w.good("browser_download", args{"selector": "button"})
	w.inFolder("one.txt", "two.txt")
}

func TestADownloadBehindADialogIsResumed(t *testing.T) {
	w := newWorld(t, map[string]string{"/page": `<a href="/file" onclick="return confirm('really?')">file</a>`})
	w.Handle("/file", file("attachment; filename=asked.txt", "asked"))
	w.open("/page")
	blocked := w.bad("browser_download", args{"selector": "a"}, "blocked_by_dialog")
	w.good("browser_dialog", args{"action": "accept"})
	var id string
	if err := json.Unmarshal([]byte(lookUp(t, blocked, "call_id")), &id); err != nil {
		t.Fatal(err)
	}
	is(t, "the name", w.downloaded(w.good("browser_resume", args{"call_id": id}), "asked"), "asked.txt")
}

func TestAClickThatDownloadsNothingSaysSo(t *testing.T) {
	w := newWorld(t, map[string]string{"/page": `<a id=self href="/file">self</a><a id=no href="#x">no</a>`})
	w.Handle("/file", file("attachment; filename=self.txt", "self"))
	w.open("/page")
	r := w.good("browser_click", args{"selector": "#self"})
	want(t, r, "downloads.0.name", `"self.txt"`)
	want(t, r, "navigated", "null")
	want(t, r, "navigating", "null")
	w.bad("browser_navigate", args{"url": "{{localhost}}/file"}, "navigation_failed", "self.txt", "not a page")
	w.bad("browser_download", args{"selector": "#no"}, "download_failed", "produced no file")
}
