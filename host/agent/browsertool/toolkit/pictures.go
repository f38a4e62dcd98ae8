package toolkit

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/hermes-cdp/hermes-cdp/internal/filename"
	"github.com/hermes-cdp/hermes-cdp/internal/retention"
)

// pictureName begins the names of picture files; no other files in the directory are touched.
const pictureName = "hermes-cdp-"

func isPicture(name string) bool {
	return strings.HasPrefix(name, pictureName) && slices.Contains([]string{".png", ".txt", ".json", ".har", ".bin", ".pdf", ".mhtml"}, filepath.Ext(name))
}

// TendPictures removes pictures that are too old or exceed the total size, at once and then regularly, until ctx ends.
// Errors are ignored: it tries again, and [Kit.KeepPicture] reports them.
func (o Options) TendPictures(ctx context.Context) {
	if o.ScreenshotDir == "" {
		return
	}
	o = o.WithDefaults()
	retention.Tend(ctx, min(o.ScreenshotKeep/2, time.Hour), func() { _ = o.removeOldPictures(0) })
}

// removeOldPictures makes room for so many bytes.
func (o Options) removeOldPictures(room int64) error {
	return errors.Join(
		retention.RemoveOld(o.ScreenshotDir, time.Now().Add(-o.ScreenshotKeep), isPicture),
		retention.RemoveOver(o.ScreenshotDir, o.ScreenshotBytes-room, isPicture),
	)
}

// KeepPicture writes a picture of the task; see [Kit.KeepFile].
func (k *Kit) KeepPicture(png []byte) (string, error) { return k.KeepFile(".png", png) }

// KeepFile writes a file of the task; see [Options.keepFile].
func (k *Kit) KeepFile(ext string, data []byte) (string, error) {
	return k.Options.keepFile(k.Task.ID(), ext, data)
}

// keepFile writes a picture, a page, the long result of an expression, or what was sent over the network, into the
// directory for pictures and removes those that are too old, and the oldest if they become too many. [isPicture] must
// know the extension. It returns the path; empty if pictures are not kept.
func (o Options) keepFile(task, ext string, data []byte) (string, error) {
	dir := o.ScreenshotDir
	if dir == "" {
		return "", nil
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", fmt.Errorf("the directory for pictures: %w", err)
	}
	if int64(len(data)) > o.ScreenshotBytes {
		return "", fmt.Errorf("a file of %d MiB is not kept: the directory for pictures may have %d MiB; the operator can allow more with browser.screenshot_total_mb",
			(len(data)+1<<20-1)>>20, o.ScreenshotBytes>>20)
	}
	if err := o.removeOldPictures(int64(len(data))); err != nil {
		return "", fmt.Errorf("the directory for pictures: %w", err)
	}
	// Only its owner can read the file, as a picture may show private data.
	name := pictureName + time.Now().UTC().Format("20060102T150405Z") + "-" + filename.Part(task) + "-*" + ext
	file, err := os.CreateTemp(dir, name)
	if err != nil {
		return "", fmt.Errorf("a picture: %w", err)
	}
	_, err = file.Write(data)
	if err = errors.Join(err, file.Close()); err != nil {
		return "", fmt.Errorf("a picture: %w", err)
	}
	return filepath.Abs(file.Name())
}
