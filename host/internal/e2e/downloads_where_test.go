package e2e

import (
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/internal/e2e/shared"
	"github.com/hermes-cdp/hermes-cdp/host/internal/e2e/testsite"
)

func givesFiles(t *testing.T) *testsite.Server {
	site := testsite.New(t, map[string]string{"/page": `<a id=link href="/get">file</a><iframe src="/get"></iframe>`})
	site.Handle("/get", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Disposition", "attachment; filename=given.txt")
		_, _ = w.Write([]byte("given"))
	})
	return site
}

// ended is a snapshot with so many downloads that have ended.
func ended(t *testing.T, task *host.Task, n int) []host.Download {
	t.Helper()
	s, ok := task.Wait(testContext(t), func(s *host.Snapshot) bool {
		return len(s.Downloads) == n && s.Downloads[n-1].State != host.DownloadStarted
	})
	if !ok {
		t.Fatalf("the downloads are %s", shared.Dump(s.Downloads))
	}
	return s.Downloads
}

// A page needs no click to give a file.
func TestABrowserOfTheHostsOwnPutsNothingIntoTheUsersHome(t *testing.T) {
	home := t.TempDir()
	t.Setenv("HOME", home)
	site, h, ctx := givesFiles(t), newHost(t, host.Options{}), testContext(t)
	task, err := h.Launch(ctx, "task", nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := task.Tab("").Navigate(ctx, site.URL("localhost", "/page"), nil); err != nil {
		t.Fatal(err)
	}
	d := ended(t, task, 1)[0]
	if content, err := os.ReadFile(d.Path); d.Path != filepath.Join(task.DownloadDir(), "given.txt") || string(content) != "given" {
		t.Errorf("the download %s has %q, %v", shared.Dump(d), content, err)
	}
	_ = filepath.WalkDir(home, func(path string, _ fs.DirEntry, _ error) error {
		if strings.Contains(path, "given") || strings.Contains(path, ".crdownload") {
			t.Errorf("the user's home has %s", path)
		}
		return nil
	})
	if err := task.Close(ctx); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(task.DownloadDir()); !os.IsNotExist(err) {
		t.Errorf("the directory of an ended task: %v", err)
	}
}

// Where files go is a setting of a whole browser context. In one that is the user's, it stays as the user has it, and
// the task says that it does not know where its files are.
func TestAContextThatIsSharedKeepsItsDirectory(t *testing.T) {
	t.Parallel()
	address, _ := shared.Own(t)
	users, site, ctx := t.TempDir(), givesFiles(t), testContext(t)
	user := newRawClient(ctx, t, address)
	user.call("", "Browser.setDownloadBehavior", map[string]any{"behavior": "allow", "downloadPath": users}, nil)
	task := attachTab(t, newHost(t, host.Options{}), address)
	if _, err := task.Tab("").Navigate(ctx, site.URL("localhost", "/page"), nil); err != nil {
		t.Fatal(err)
	}
	if d := ended(t, task, 1)[0]; d.State != host.DownloadComplete || d.Path != "" || !strings.Contains(d.Reason, "shares its browser context") {
		t.Errorf("the download of the task is %s", shared.Dump(d))
	}
	if content, err := os.ReadFile(filepath.Join(users, "given.txt")); string(content) != "given" {
		t.Errorf("the user's directory has %q, %v", content, err)
	}
	file, err := task.Tab("").Download(ctx, host.BySelector("#link"), "")
	if err != nil || file.Path != filepath.Join(task.DownloadDir(), "given.txt") {
		t.Errorf("the file that a call waited for is %s, %v", shared.Dump(file), err)
	}
}

func attachTab(t *testing.T, h *host.Host, address string) *host.Task {
	t.Helper()
	task, err := h.Attach(testContext(t), t.Name(), address, &host.TaskOptions{Scope: host.ScopeTab})
	if err != nil {
		t.Fatal(err)
	}
	return task
}
