package host

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/internal/upload"
)

// A profile has the cookies of the task that used its browser, and it is in the directory for temporary files.
func TestAProfileThatAHostMadeIsPrivate(t *testing.T) {
	tmp := t.TempDir()
	t.Setenv("TMPDIR", tmp)
	h, err := New(t.Context(), &Options{PluginCacheDir: compiled, UploadRoots: []string{tmp}})
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close(t.Context())
	for name, private := range map[string]bool{"hermes-cdp-profile-1/Default/Cookies": true, "mine/picture.png": false} {
		path := filepath.Join(tmp, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte("x"), 0o600)); err != nil {
			t.Fatal(err)
		}
		if _, err := h.rules.Uploads.Files([]string{path}); errors.As(err, new(*upload.PrivateError)) != private || !private && err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := h.rules.Uploads.Folder(tmp); err != nil {
		t.Errorf("the directory of the profiles: %v", err)
	}
}
