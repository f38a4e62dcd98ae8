package toolkit

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

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
	if err := o.removeOldPictures(); err != nil {
		t.Fatal(err)
	}
	if left, err := filepath.Glob(filepath.Join(o.ScreenshotDir, "*")); err != nil || len(left) > 0 {
		t.Errorf("there are %q: %v", left, err)
	}
}
