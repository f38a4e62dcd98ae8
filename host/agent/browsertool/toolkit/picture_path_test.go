package toolkit

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host/fault"
)

func TestWhereAPictureMayBeKept(t *testing.T) {
	base := t.TempDir()
	shots, downloads, outside := filepath.Join(base, "shots"), filepath.Join(base, "downloads"), filepath.Join(base, "outside")
	for _, dir := range []string{filepath.Join(shots, "deep.png"), downloads, outside} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	secret := filepath.Join(outside, "secret.png")
	for path, content := range map[string]string{secret: "secret", filepath.Join(shots, "old.png"): "old"} {
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for link, to := range map[string]string{"away": outside, "link.png": secret, "loop": ".", "dangling.png": filepath.Join(outside, "new.png")} {
		if err := os.Symlink(to, filepath.Join(shots, link)); err != nil {
			t.Fatal(err)
		}
	}
	k := &Kit{Options: Options{ScreenshotDir: shots, DownloadDir: downloads}}
	for name, c := range map[string]struct {
		path, kept, says string
	}{
		"a name":                              {"a.png", filepath.Join(shots, "a.png"), ""},
		"one with a dot before it":            {"./dot.PNG", filepath.Join(shots, "dot.PNG"), ""},
		"a path of missing directories":       {"x/y/a.png", filepath.Join(shots, "x", "y", "a.png"), ""},
		"a whole path":                        {filepath.Join(shots, "b.png"), filepath.Join(shots, "b.png"), ""},
		"one among downloads":                 {filepath.Join(downloads, "c.png"), filepath.Join(downloads, "c.png"), ""},
		"over a picture":                      {"old.png", filepath.Join(shots, "old.png"), ""},
		"upward":                              {"../outside/a.png", "", "contains .."},
		"upward and back":                     {"x/../../shots/a.png", "", "contains .."},
		"upward in a whole path":              {shots + "/../outside/a.png", "", "contains .."},
		"somewhere else":                      {filepath.Join(outside, "a.png"), "", "below " + shots},
		"beside a directory, same prefix":     {shots + "-not/a.png", "", "below " + shots},
		"no picture":                          {"a.sh", "", "must end with .png"},
		"the directory itself":                {shots, "", "must end with .png"},
		"through a link":                      {"away/a.png", "", "away is a symbolic link"},
		"through a link within the directory": {"loop/a.png", "", "loop is a symbolic link"},
		"over a link":                         {"link.png", "", "link.png is a symbolic link"},
		"over a link to what is not there":    {"dangling.png", "", "dangling.png is a symbolic link"},
		"over a directory":                    {"deep.png", "", "is a directory"},
		"below a file":                        {"old.png/a.png", "", "old.png exists already, and is a file"},
	} {
		t.Run(name, func(t *testing.T) {
			kept, err := k.KeepPictureAs(c.path, []byte("new"))
			if c.says != "" {
				if !errors.Is(err, fault.ErrBadArguments) || !strings.Contains(err.Error(), c.says) {
					t.Errorf("got %q, %v", kept, err)
				}
				return
			}
			content, readErr := os.ReadFile(c.kept)
			info, statErr := os.Stat(c.kept)
			if err != nil || kept != c.kept || string(content) != "new" || statErr != nil || info.Mode().Perm() != 0o600 {
				t.Errorf("got %q, %v: %q, %v, %v", kept, err, content, readErr, statErr)
			}
		})
	}
	left, err := filepath.Glob(filepath.Join(shots, ".*"))
	if content, readErr := os.ReadFile(secret); string(content) != "secret" || readErr != nil || err != nil || len(left) > 0 {
		t.Errorf("outside there is %q, %v; left over is %v, %v", content, readErr, left, err)
	}
	if files, err := os.ReadDir(outside); err != nil || len(files) != 1 {
		t.Errorf("outside there are %v, %v", files, err)
	}
	if _, err := (&Kit{}).KeepPictureAs("a.png", nil); !errors.Is(err, fault.ErrBadArguments) || !strings.Contains(err.Error(), "browser.screenshot_dir") {
		t.Errorf("without a directory: %v", err)
	}
}
