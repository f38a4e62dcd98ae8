package toolkit

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"testing/synctest"
	"time"
)

func TestOldPicturesGoByTheClock(t *testing.T) {
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		put := func(name string, age time.Duration) {
			t.Helper()
			path, at := filepath.Join(dir, name), time.Now().Add(-age)
			if err := os.WriteFile(path, nil, 0o600); err != nil {
				t.Fatal(err)
			}
			if err := os.Chtimes(path, at, at); err != nil {
				t.Fatal(err)
			}
		}
		left := func() []string {
			t.Helper()
			synctest.Wait()
			names, err := filepath.Glob(filepath.Join(dir, "*"))
			if err != nil {
				t.Fatal(err)
			}
			for i, name := range names {
				names[i] = filepath.Base(name)
			}
			return names
		}
		put("hermes-cdp-old.png", 25*time.Hour)
		put("hermes-cdp-new.png", time.Hour)
		put("mine.png", 48*time.Hour)
		ctx, stop := context.WithCancel(t.Context())
		ended := make(chan struct{})
		go func() {
			Options{ScreenshotDir: dir}.TendPictures(ctx)
			close(ended)
		}()
		if got := left(); !slices.Equal(got, []string{"hermes-cdp-new.png", "mine.png"}) {
			t.Errorf("at the beginning there are %q", got)
		}
		<-time.After(25 * time.Hour) // on the bubble's clock
		if got := left(); !slices.Equal(got, []string{"mine.png"}) {
			t.Errorf("a day later, without another picture, there are %q", got)
		}
		stop()
		<-ended
	})
}
