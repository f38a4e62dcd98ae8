package e2e

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/hosttest"
)

// A profile and a storage state have the cookies of a task, and the host's own directories what others did. They are
// not given to a page although they lie where its files may come from.
func TestWhatTheHostKeepsIsNotGivenToPages(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	at := func(name string) string { return filepath.Join(root, name) }
	h := newHost(t, host.Options{
		UploadRoots: []string{root}, PluginDownloadDir: at("downloaded"), PluginStateDir: at("plugins"),
		Journal: host.JournalOptions{Dir: at("journal")}, Recording: host.RecordingOptions{Dir: at("recordings")}, Rental: host.RentalOptions{Journal: at("leases")},
	})
	ctx := testContext(t)
	launch := &host.LaunchOptions{Executable: hosttest.Executable(t), UserDataDir: at("profile")}
	empty := at("empty.json")
	if err := os.WriteFile(empty, []byte(`{"cookies": [], "origins": []}`), 0o600); err != nil {
		t.Fatal(err)
	}
	task, err := h.Launch(ctx, t.Name(), launch, &host.TaskOptions{StorageState: empty})
	if err != nil {
		t.Fatal(err)
	}
	tab := task.Tab("")
	if _, err := tab.Navigate(ctx, "data:text/html,<input type=file id=file>", nil); err != nil {
		t.Fatal(err)
	}
	if _, err := task.SaveState(ctx, at("state.json"), nil); err != nil {
		t.Fatal(err)
	}
	if err := os.Link(at("state.json"), at("link.json")); err != nil {
		t.Fatal(err)
	}
	for name, private := range map[string]bool{
		"profile/Local State": true, "profile/Default/made": true, "empty.json": true, "state.json": true, "link.json": true, "downloaded/made": true,
		"plugins/made": true, "journal/made": true, "recordings/made": true, "leases/made": true, "made": false, "profiles/made": false,
	} {
		path := at(name)
		if filepath.Base(path) == "made" {
			if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, nil, 0o600)); err != nil {
				t.Fatal(err)
			}
		}
		_, err := tab.Upload(ctx, host.BySelector("#file"), []string{path}, nil)
		if private != (errors.Is(err, host.ErrRefused) && strings.Contains(err.Error(), "may not be used")) || !private && err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
