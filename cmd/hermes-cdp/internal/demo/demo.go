// Package demo shows the main job on pages that it serves itself: what the supervisor sees, which module decides what,
// and what the page gets back.
package demo

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/hermes-cdp/hermes-cdp/host"
)

// Options configures a run. The zero value works, but for Out.
type Options struct {
	Out      io.Writer // receives the story, or one JSON object a line
	Progress io.Writer // receives what an installation of the browser prints; nil drops it
	JSON     bool
	Host     host.Options
	Launch   host.LaunchOptions
	Task     host.TaskOptions
}

// stepTimeout bounds one step of the demo; it takes a few milliseconds when all is well.
const stepTimeout = 30 * time.Second

// demo is one run.
type demo struct {
	*story
	options Options
	site    *site
	host    *host.Host
	task    *host.Task
}

// Run shows everything and ends the browser that it started. The error names the step that failed.
func Run(ctx context.Context, o Options) (err error) {
	if o.Progress == nil {
		o.Progress = io.Discard
	}
	d := &demo{story: &story{out: o.Out, json: o.JSON}, options: o}
	if d.site, err = newSite(); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, d.site.close()) }()
	if d.host, err = host.New(ctx, &o.Host); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, d.end()) }()
	if err := d.begin(ctx); err != nil {
		return err
	}
	for _, step := range steps {
		if err := d.run(ctx, step); err != nil {
			return fmt.Errorf("demo, step %q: %w", step.title, err)
		}
	}
	return nil
}

func (d *demo) begin(ctx context.Context) error {
	for _, p := range d.host.Plugins() {
		d.plugin(p)
	}
	launch := &d.options.Launch
	executable, err := host.EnsureBrowser(ctx, launch.Executable, d.options.Progress)
	if err != nil {
		return err
	}
	launch.Executable = executable
	// Without it, small machines put sites into one process, and there would be no out-of-process iframe to show.
	launch.Args = append(launch.Args, "--site-per-process")
	started := time.Now()
	if d.task, err = d.host.Launch(ctx, "demo", launch, &d.options.Task); err != nil {
		return err
	}
	d.browser(executable, time.Since(started))
	return nil
}

// end closes the host, which ends the browser with all its processes.
func (d *demo) end() error {
	ctx, cancel := context.WithTimeout(context.Background(), stepTimeout)
	defer cancel()
	if err := d.host.Close(ctx); err != nil {
		return fmt.Errorf("demo: end the browser: %w", err)
	}
	d.ended()
	return nil
}

func (d *demo) run(ctx context.Context, s step) error {
	ctx, cancel := context.WithTimeout(ctx, stepTimeout)
	defer cancel()
	d.title(s.title)
	return s.run(ctx, d)
}
