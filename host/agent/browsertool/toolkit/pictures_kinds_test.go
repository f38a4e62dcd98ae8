package toolkit

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestTheOldestFilesMakeRoomForNewOnes(t *testing.T) {
	o := Options{ScreenshotDir: t.TempDir(), ScreenshotBytes: 1 << 20}.WithDefaults()
	var paths []string
	for i := range 3 {
		path, err := o.keepFile("task", ".png", make([]byte, 400<<10))
		if err != nil {
			t.Fatal(err)
		}
		if at := time.Now().Add(time.Duration(i-3) * time.Minute); os.Chtimes(path, at, at) != nil {
			t.Fatal("no time")
		}
		paths = append(paths, path)
	}
	left, err := filepath.Glob(filepath.Join(o.ScreenshotDir, "*"))
	if _, gone := os.Stat(paths[0]); err != nil || len(left) != 2 || gone == nil {
		t.Errorf("there are %q: %v", left, err)
	}
	if _, err := o.keepFile("task", ".pdf", make([]byte, 1<<20+1)); err == nil || !strings.Contains(err.Error(), "browser.screenshot_total_mb") {
		t.Errorf("a file that is larger than all may be: %v", err)
	}
	if still, _ := filepath.Glob(filepath.Join(o.ScreenshotDir, "*")); len(still) != 2 {
		t.Errorf("it has cost others their place: %q", still)
	}
}

// Whatever a tool keeps beside the pictures is removed as they are.
func TestEveryKindOfFileGoesByTheClock(t *testing.T) {
	o := Options{ScreenshotDir: t.TempDir()}.WithDefaults()
	for _, ext := range []string{".png", ".txt", ".json", ".har", ".bin", ".pdf", ".mhtml"} {
		path, err := o.keepFile("task", ext, []byte("x"))
		if err != nil {
			t.Fatal(err)
		}
		old := time.Now().Add(-2 * o.ScreenshotKeep)
		if err := os.Chtimes(path, old, old); err != nil {
			t.Fatal(err)
		}
	}
	if err := o.removeOldPictures(0); err != nil {
		t.Fatal(err)
	}
	if left, err := filepath.Glob(filepath.Join(o.ScreenshotDir, "*")); err != nil || len(left) > 0 {
		t.Errorf("there are %q: %v", left, err)
	}
}
