package e2e

import (
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/module"
	"github.com/hermes-cdp/hermes-cdp/plugins/contrary"
)

// filing puts contrary.Files into service: it decides on files by their names, and on what pages log by words.
func filing(t *testing.T) host.Options {
	t.Helper()
	path, _ := moduleFile(t, contrary.Files())
	return host.Options{PluginFaults: -1, UploadRoots: []string{t.TempDir()}, Plugins: map[string]host.PluginOptions{"clerk": {
		PluginSource: host.PluginSource{Path: path}, Hooks: []abi.Hook{abi.HookDownload, abi.HookUpload, abi.HookConsole},
		Limits: module.Limits{HookTimeout: 20 * time.Second},
	}}}
}

// offersFiles serves files under /give/. The body of one with slow in its name never ends, so that its download is
// running when it is denied.
func (w *world) offersFiles(names ...string) {
	give := func(out http.ResponseWriter, r *http.Request) {
		out.Header().Set("Content-Disposition", "attachment")
		_, _ = out.Write([]byte("%PDF-1.7\ngiven"))
		if strings.Contains(r.URL.Path, "slow") {
			_ = http.NewResponseController(out).Flush()
			<-r.Context().Done()
		}
	}
	for _, name := range names {
		w.site.Handle("/give/"+name, give)
	}
}

// download waits until the download of a name has ended.
func (w *world) download(name string) (d host.Download) {
	w.t.Helper()
	w.await("the end of "+name, func(s *host.Snapshot) bool {
		i := slices.IndexFunc(s.Downloads, func(d host.Download) bool { return d.Name == name })
		if i >= 0 {
			d = s.Downloads[i]
		}
		return i >= 0 && d.State != host.DownloadStarted
	})
	return d
}

func TestAPluginDecidesOnDownloads(t *testing.T) {
	t.Parallel()
	w := newWorldOn(t, common.Address(t), filing(t), map[string]string{"/page": "<a id=link href='/give/late-clicked.pdf'>file</a>"}, host.TaskOptions{})
	w.offersFiles("early-slow.pdf", "late.pdf", "fail.pdf", "trap.pdf", "fine.pdf", "late-clicked.pdf")
	w.open("/page")
	for name, says := range map[string]string{
		// It has not come, and nobody has looked into it.
		"early-slow.pdf": "plugin clerk denied it by the rule the name says so: denied:  of ",
		"late.pdf":       "denied: application/pdf of 14 bytes at " + w.site.URL("localhost", "/give/late.pdf") + " of " + w.site.URL("localhost", "") + " in " + w.site.URL("localhost", ""),
		"fail.pdf":       "no plugin could decide on it: plugin clerk could not decide: it does not want to",
		"trap.pdf":       "no plugin could decide on it: ",
	} {
		w.start("location.href = '/give/" + name + "?secret'")
		if d := w.download(name); d.State != host.DownloadCanceled || d.Path != "" || !strings.Contains(d.Reason, says) {
			t.Errorf("%s: %+v", name, d)
		}
	}
	w.start("location.href = '/give/fine.pdf'")
	if d := w.download("fine.pdf"); d.State != host.DownloadComplete || d.Path != filepath.Join(w.DownloadDir(), "fine.pdf") {
		t.Errorf("one that is allowed: %+v", d)
	}
	dir := t.TempDir()
	if _, err := w.Tab("").Download(w.ctx, host.BySelector("#link"), dir); !errors.Is(err, host.ErrDownload) || !strings.Contains(err.Error(), "denied: application/pdf") {
		t.Errorf("the call that waits for a file that is denied: %v", err)
	}
	for _, d := range []string{dir, w.DownloadDir()} {
		_ = filepath.WalkDir(d, func(path string, e os.DirEntry, _ error) error {
			if e != nil && e.Type().IsRegular() && e.Name() != "fine.pdf" {
				t.Errorf("%s is still there", path)
			}
			return nil
		})
	}
}

// The host would not learn where the file is, and the agent would find it before a plugin has decided.
func TestAPluginDecidesOnDownloadsThatNoAgentRedirects(t *testing.T) {
	t.Parallel()
	o := filing(t)
	w := newWorldOn(t, common.Address(t), o, map[string]string{"/page": ""}, host.TaskOptions{})
	w.open("/page")
	for _, method := range []string{"Browser.setDownloadBehavior", "Page.setDownloadBehavior"} {
		_, err := w.CDP(w.ctx, host.CDPCall{Method: method, Params: params("behavior", "allow", "downloadPath", o.UploadRoots[0])})
		if !errors.Is(err, host.ErrRefused) || !strings.Contains(err.Error(), "browser.download_dir") {
			t.Errorf("%s: %v, want it refused, and the key named", method, err)
		}
	}
	w.raw(host.CDPCall{Method: "Browser.setDownloadBehavior", Params: params("behavior", "deny")})
}

// The blob of a page is of the page's origin; a data: URL is of none.
func TestADownloadWithoutAnAddressHasTheOriginOfItsPage(t *testing.T) {
	t.Parallel()
	w := newWorldOn(t, common.Address(t), filing(t), map[string]string{"/page": ""}, host.TaskOptions{})
	w.open("/page")
	const click = `{const a = document.createElement("a"); a.href = ADDRESS; a.download = "late-NAME.bin"; a.click()}`
	for name, c := range map[string][2]string{
		"blob": {`URL.createObjectURL(new Blob(["MZ"]))`, "at blob: of " + w.site.URL("localhost", "") + " in "},
		"data": {`"data:application/zip,x"`, "at data: of null in " + w.site.URL("localhost", "")},
	} {
		w.evaluate(strings.NewReplacer("ADDRESS", c[0], "NAME", name).Replace(click))
		if d := w.download("late-" + name + ".bin"); !strings.Contains(d.Reason, c[1]) {
			t.Errorf("%s: %+v", name, d)
		}
	}
}

func TestAPluginDecidesOnUploads(t *testing.T) {
	t.Parallel()
	o := filing(t)
	w := newWorldOn(t, common.Address(t), o, map[string]string{
		"/page": `<input type=file id=file multiple><button id=open onclick="file.click()">Open</button><div id=into style="height:40px">here</div>
			<iframe src="{{127.0.0.1}}/inner"></iframe><script>got = 0; into.ondragover = into.ondrop = e => { e.preventDefault(); got += e.type == "drop" }</script>`,
		"/inner": "<input type=file id=inner>",
	}, host.TaskOptions{})
	w.open("/page")
	for _, name := range []string{"fine.txt", "late.txt", "fail.txt"} {
		if err := os.WriteFile(filepath.Join(o.UploadRoots[0], name), []byte("hello"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	node := w.raw(host.CDPCall{Method: "Runtime.evaluate", Params: params("expression", "document.querySelector('#file')")})["result"].(map[string]any)["objectId"]
	tool := func(selector string) func(paths []string) error {
		return func(paths []string) error {
			_, err := w.Tab("").Upload(w.ctx, host.BySelector(selector), paths, nil)
			return err
		}
	}
	site, other := w.site.URL("localhost", ""), w.site.URL("127.0.0.1", "")
	for name, c := range map[string]struct {
		give   func(paths []string) error
		origin string
	}{
		"a field":         {tool("#file"), site},
		"a chooser":       {tool("#open"), site},
		"a drop":          {tool("#into"), site},
		"a frame's field": {tool("#inner"), other},
		"a raw command": {func(paths []string) error {
			_, err := w.CDP(w.ctx, host.CDPCall{Method: "DOM.setFileInputFiles", Params: params("files", paths, "objectId", node)})
			return err
		}, site},
		"a raw command with a list that no browser reads": {func(paths []string) error {
			_, err := w.CDP(w.ctx, host.CDPCall{Method: "DOM.setFileInputFiles", Params: params("files", paths, "objectId", node, "data", params("files", []string{}))})
			return err
		}, site},
	} {
		give := func(names ...string) error {
			for i := range names {
				names[i] = filepath.Join(o.UploadRoots[0], names[i])
			}
			return c.give(names)
		}
		var denied *host.FileDeniedError
		err := give("late.txt")
		if !errors.As(err, &denied) || denied.Plugin != "clerk" || !strings.Contains(denied.Reason, "text/plain of 5 bytes at "+c.origin) || !strings.HasSuffix(denied.Reason, " in "+site) {
			t.Errorf("%s: %v", name, err)
		}
		if err := give("fail.txt"); !errors.As(err, &denied) || !denied.FailedClosed {
			t.Errorf("%s, a failure: %v", name, err)
		}
	}
	if err := tool("#file")([]string{filepath.Join(o.UploadRoots[0], "fine.txt"), filepath.Join(o.UploadRoots[0], "late.txt")}); !errors.Is(err, host.ErrFileDenied) {
		t.Errorf("one of two is denied: %v", err)
	}
	want(t, "what the page got", w.evaluate("[document.querySelector('#file').files.length, got]"), "[0,0]")
	for _, selector := range []string{"#file", "#into"} {
		if err := tool(selector)([]string{filepath.Join(o.UploadRoots[0], "fine.txt")}); err != nil {
			t.Errorf("%s, one that is allowed: %v", selector, err)
		}
	}
	want(t, "what the page got then", w.evaluate("[document.querySelector('#file').files.length, got]"), "[1,1]")
}

// What is dropped reaches neither a snapshot nor an event, and order is kept.
func TestAPluginDecidesOnWhatPagesLog(t *testing.T) {
	t.Parallel()
	w := newWorldOn(t, common.Address(t), filing(t), map[string]string{"/page": ""}, host.TaskOptions{})
	events := w.Events(100)
	w.open("/page")
	w.evaluate(`["first", "a SECRET", "DROP this", "FAIL here", "last"].forEach(s => console.log(s))`)
	site := w.site.URL("localhost", "")
	wanted := []string{"first", "a [masked] on " + site, "last"}
	s := w.await("the last message", func(s *host.Snapshot) bool {
		return slices.ContainsFunc(s.Console, func(m host.ConsoleMessage) bool { return m.Text == "last" })
	})
	var got, told []string
	for _, m := range s.Console {
		got = append(got, m.Text)
	}
	for e := range events.C {
		if e.Kind == host.EventConsole {
			told = append(told, e.Console.Text)
		}
		if len(told) > 0 && told[len(told)-1] == "last" {
			break
		}
	}
	if !slices.Equal(got, wanted) || !slices.Equal(told, wanted) {
		t.Errorf("the snapshot has %q and the events have %q, want %q", got, told, wanted)
	}
}

func TestWhatNoPluginDecidesOnPassesIfTheOperatorSaysSo(t *testing.T) {
	t.Parallel()
	o := filing(t)
	o.FileFailOpen, o.ConsoleFailOpen = true, true
	w := newWorldOn(t, common.Address(t), o, map[string]string{"/page": ""}, host.TaskOptions{})
	w.offersFiles("fail.pdf")
	w.open("/page")
	w.start("console.log('FAIL here'); location.href = '/give/fail.pdf'")
	if d := w.download("fail.pdf"); d.State != host.DownloadComplete || d.Path == "" {
		t.Errorf("the download: %+v", d)
	}
	w.await("the message", func(s *host.Snapshot) bool {
		return slices.ContainsFunc(s.Console, func(m host.ConsoleMessage) bool { return m.Text == "FAIL here" })
	})
}
