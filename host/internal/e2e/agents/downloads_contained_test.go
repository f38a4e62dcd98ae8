package agents

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/agent"
	"github.com/hermes-cdp/hermes-cdp/host/agent/browsertool"
	"github.com/hermes-cdp/hermes-cdp/host/internal/e2e/shared"
)

// attachment serves a file under the name that the URL suggests.
func attachment(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Disposition", fmt.Sprintf("attachment; filename=%q", r.URL.Query().Get("name")))
	_, _ = w.Write([]byte("a file"))
}

const downloadsPage = `<a id=link href="/get?name=link.txt">link</a> <a id=blank href="/get?name=blank.txt" target=_blank>blank</a>
<button id=script onclick="const a = document.createElement('a'); a.href = 'data:text/plain,from%20a%20script'; a.download = 'script.txt'; a.click()">script</button>
<a id=evil download="../../evil.txt" href="data:text/plain,evil">evil</a>
<form action="/post" method=post><button id=form>form</button></form><iframe src="{{127.0.0.1}}/downloads-inner"></iframe>
<input type=file id=file><a id=slow href="/slow">slow</a><a id=large href="/large">large</a>`

// downloads is a bench with pages that give files.
func downloads(t *testing.T, o host.Options) *bench {
	b := newBench(t, common.Address(t), o)
	page := func(html string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			_, _ = w.Write([]byte(b.Expand(html)))
		}
	}
	b.Handle("/downloads", page(downloadsPage))
	b.Handle("/downloads-inner", page(`<a id=framed href="/get?name=framed.txt">framed</a>`))
	b.Handle("/downloads-at-once", page(`<iframe src="/get?name=at-once.txt"></iframe>`))
	b.Handle("/get", attachment)
	b.Handle("/post", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Disposition", "attachment; filename=form.txt")
		_, _ = w.Write([]byte("a file"))
	})
	return b
}

// given is the only download that a result reports.
func given(t *testing.T, r agent.Result) (d browsertool.DownloadInfo) {
	t.Helper()
	var has struct{ Downloads []browsertool.DownloadInfo }
	if err := json.Unmarshal([]byte(shared.Dump(r.Structured)), &has); err != nil || len(has.Downloads) != 1 {
		t.Fatalf("the downloads are %+v, %v: %s", has.Downloads, err, show(r))
	}
	return has.Downloads[0]
}

// arrived is the download of a result, or of one of the next ones, that is complete.
func (u *user) arrived(r agent.Result) browsertool.DownloadInfo {
	u.t.Helper()
	d := given(u.t, r)
	if d.State == host.DownloadStarted { // on a busy machine
		if _, ok := u.Wait(u.ctx, func(s *host.Snapshot) bool {
			return len(s.Downloads) > 0 && s.Downloads[len(s.Downloads)-1].State != host.DownloadStarted
		}); !ok {
			u.t.Fatal("the download does not end")
		}
		d = given(u.t, u.good("browser_tabs", nil))
	}
	if d.State != host.DownloadComplete {
		u.t.Fatalf("the download is %+v", d)
	}
	return d
}

// Whatever starts a download, its file is in a directory of the task, once, and the result says where.
func TestEveryDownloadIsInTheDirectoryOfItsTask(t *testing.T) {
	t.Parallel()
	u := downloads(t, host.Options{}).newUser(t, host.TaskOptions{})
	dir := u.DownloadDir()
	if info, err := os.Stat(dir); err != nil || info.Mode().Perm() != 0o700 {
		t.Fatalf("the directory is %v, %v", info, err)
	}
	u.good("browser_navigate", arguments{"url": "{{localhost}}/downloads"})
	u.good("browser_wait_for", arguments{"selector": "#framed"})
	for _, c := range []struct{ id, name, content string }{
		{"link", "link.txt", "a file"}, {"link", "link (1).txt", "a file"}, {"blank", "blank.txt", "a file"}, {"framed", "framed.txt", "a file"},
		{"script", "script.txt", "from a script"}, {"form", "form.txt", "a file"}, {"evil", "_.._evil.txt", "evil"},
	} {
		r := u.good("browser_click", arguments{"selector": "#" + c.id})
		d := u.arrived(r)
		if content, err := os.ReadFile(d.Path); d.Path != filepath.Join(dir, c.name) || err != nil || string(content) != c.content || d.Bytes != int64(len(c.content)) {
			t.Errorf("%s: %+v has %q, %v", c.id, d, content, err)
		}
		if !strings.Contains(shared.Dump(r.Structured["untrusted"]), `"downloads"`) || !strings.Contains(r.Text, "<untrusted ") {
			t.Errorf("%s: the page's text is not marked: %s", c.id, show(r))
		}
		want(t, u.good("browser_snapshot", nil), "downloads", "null")
	}
	r := u.bad("browser_navigate", arguments{"url": "{{localhost}}/get?name=page.txt&secret=x"}, "navigation_failed", "page.txt")
	if d := u.arrived(r); filepath.Base(d.Path) != "page.txt" || strings.Contains(d.URL, "secret") {
		t.Errorf("a navigation gives %+v", d)
	}
	d := u.arrived(u.good("browser_evaluate", arguments{"expression": `new Promise(done => {
		const a = document.createElement('a'); a.href = 'data:text/plain,x'; a.download = 'evaluated.txt'; a.click(); setTimeout(done, 500) })`}))
	is(t, "the file of a script", filepath.Base(d.Path), "evaluated.txt")
	u.good("browser_upload", arguments{"selector": "#file", "paths": []string{d.Path}})
	is(t, "the uploaded file", text(t, u.good("browser_evaluate", arguments{"expression": "file.files[0].name"}), "result"), "evaluated.txt")
	if err := u.Close(u.ctx); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(dir); !os.IsNotExist(err) {
		t.Errorf("the directory of an ended task: %v", err)
	}
}

func TestAFileThatComesLateIsReportedOnce(t *testing.T) {
	t.Parallel()
	b := downloads(t, host.Options{DownloadDir: filepath.Join(t.TempDir(), "kept")})
	release := make(chan struct{})
	b.Handle("/slow", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Disposition", "attachment; filename=slow.bin")
		w.Header().Set("Content-Length", "2000")
		_, _ = w.Write(make([]byte, 1000))
		w.(http.Flusher).Flush()
		select {
		case <-release:
		case <-r.Context().Done():
		}
		_, _ = w.Write(make([]byte, 1000))
	})
	u := b.newUser(t, host.TaskOptions{})
	events := u.Events(1000)
	defer events.Close()
	u.good("browser_navigate", arguments{"url": "{{localhost}}/downloads"})
	d := given(t, u.good("browser_click", arguments{"selector": "#slow"}))
	if d.State != host.DownloadStarted || d.Path != "" || d.Name != "slow.bin" {
		t.Errorf("while it arrives it is %+v", d)
	}
	want(t, u.good("browser_snapshot", nil), "downloads", "null")
	close(release)
	if _, ok := u.Wait(u.ctx, func(s *host.Snapshot) bool {
		return len(s.Downloads) == 1 && s.Downloads[0].State != host.DownloadStarted
	}); !ok {
		t.Fatal("it does not end")
	}
	d = given(t, u.good("browser_snapshot", nil))
	if info, err := os.Stat(d.Path); d.State != host.DownloadComplete || err != nil || info.Size() != 2000 {
		t.Errorf("at its end it is %+v, %v, %v", d, info, err)
	}
	want(t, u.good("browser_snapshot", nil), "downloads", "null")
	if err := u.Close(u.ctx); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(d.Path); err != nil {
		t.Errorf("a file in a directory that is configured does not outlive its task: %v", err)
	}
	if entries, err := os.ReadDir(filepath.Dir(d.Path)); err != nil || len(entries) != 1 {
		t.Errorf("beside it there are %v, %v", entries, err)
	}
	states := ""
	for e := range events.C {
		if e.Kind == host.EventDownload {
			states += " " + string(e.Download.State)
		}
	}
	is(t, "the states of the events", states, " in_progress completed")
}

func TestDownloadsThatAreTooLargeAreCanceled(t *testing.T) {
	t.Parallel()
	b := downloads(t, host.Options{DownloadLimit: 100_000})
	b.Handle("/large", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Disposition", "attachment; filename=large.bin")
		_, _ = w.Write(make([]byte, 200_000))
		w.(http.Flusher).Flush()
		<-r.Context().Done() // once the browser has given it up
	})
	b.Handle("/slow", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Disposition", "attachment; filename=at-once.bin")
		_, _ = w.Write(make([]byte, 200_000))
	})
	u := b.newUser(t, host.TaskOptions{})
	u.good("browser_navigate", arguments{"url": "{{localhost}}/downloads"})
	for _, id := range []string{"#large", "#slow"} {
		r := u.good("browser_click", arguments{"selector": id})
		s, ok := u.Wait(u.ctx, func(s *host.Snapshot) bool {
			n := len(s.Downloads)
			return n > 0 && s.Downloads[n-1].State == host.DownloadCanceled
		})
		if !ok || !strings.Contains(s.Downloads[len(s.Downloads)-1].Reason, "100000 bytes") {
			t.Fatalf("%s is not canceled: %s, %s", id, shared.Dump(s.Downloads), show(r))
		}
		u.good("browser_tabs", nil)
	}
	is(t, "what still fits", u.arrived(u.good("browser_click", arguments{"selector": "#link"})).Name, "link.txt")
	entries, err := os.ReadDir(u.DownloadDir())
	for _, e := range entries {
		if !e.IsDir() && e.Name() != "link.txt" { // beside the directory of what arrives
			t.Errorf("%s is left of what was canceled", e.Name())
		}
	}
	if err != nil || len(entries) != 2 {
		t.Errorf("the directory has %v, %v", entries, err)
	}
}
