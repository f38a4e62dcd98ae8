// Package devloop repeats what an author does after each change of a plugin: build, run the golden table, put the
// module into service, look at its calls.
package devloop

import (
	"context"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/watch"
)

// Steps are what a round does. An error ends the round, and the next change starts another one.
type Steps struct {
	Build func(ctx context.Context) error
	Test  func(ctx context.Context) error
	Swap  func(ctx context.Context) error // nil: no daemon gets the module
	Calls func(ctx context.Context) error // shows what is new; called again and again, nil: there is nothing to show
	Tell  func(err error)                 // how a round ended; nil: well
}

// poll is how often new calls are looked for.
const poll = time.Second

// key is the only key of the watcher.
const key = "plugin"

// Run does a round, and another one after every change of a file in the directory, until the context ends. The error is
// about the directory or the watcher.
func Run(ctx context.Context, dir string, steps Steps) error {
	watcher, err := watch.New()
	if err != nil {
		return err
	}
	defer func() { _ = watcher.Close() }() // the command ends
	ticker := time.NewTicker(poll)
	defer ticker.Stop()
	for {
		// Files may have come, so that they are listed for each round, and before it: what changes meanwhile counts.
		files, err := Sources(dir)
		if err != nil {
			return err
		}
		if err := watcher.Watch(map[string][]string{key: files}); err != nil {
			return err
		}
		err = steps.round(ctx)
		if ctx.Err() != nil {
			return nil
		}
		steps.Tell(err)
		for waiting := true; waiting; {
			select {
			case <-ctx.Done():
				return nil
			case <-watcher.Changed():
				waiting = false
			case <-ticker.C:
				if steps.Calls != nil && ctx.Err() == nil {
					_ = steps.Calls(ctx) // a daemon may be away for a while; the next swap says so
				}
			}
		}
	}
}

func (s Steps) round(ctx context.Context) error {
	for _, step := range []func(context.Context) error{s.Build, s.Test, s.Swap} {
		if step == nil {
			continue
		}
		if err := step(ctx); err != nil {
			return err
		}
	}
	return nil
}

// made are directories whose files compilers and package managers make.
var made = []string{"node_modules", "target", "zig-cache", "zig-out"}

// Sources lists the files in a plugin's directory that an author may change, sorted: not those that are built, and
// none in a directory whose name begins with a dot.
func Sources(dir string) ([]string, error) {
	var files []string
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := entry.Name()
		hidden := strings.HasPrefix(name, ".") && path != dir
		switch {
		case entry.IsDir() && (hidden || slices.Contains(made, name)):
			return fs.SkipDir
		case entry.IsDir() || hidden || strings.HasSuffix(name, ".wasm") || name == "Cargo.lock" || strings.HasSuffix(name, "~"):
			return nil
		}
		files = append(files, path)
		return nil
	})
	return files, err
}
