package cli

import (
	"fmt"
	"io"
	"os"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

// progressEvery is how often work that no terminal shows writes a line.
const progressEvery = 10 * time.Second

// OnTerminal reports whether out is a terminal that can draw over what it shows.
func OnTerminal(out any) bool {
	file, ok := out.(*os.File)
	kind := os.Getenv("TERM")
	return ok && term.IsTerminal(int(file.Fd())) && kind != "" && kind != "dumb" && os.Getenv("ACCESSIBLE") == ""
}

// Progress shows on standard error how far long work is: a bar in a terminal, which goes when the work ends, and a line
// now and then elsewhere. With --json standard error has only what programs read, so it shows nothing.
type Progress struct {
	what string
	out  io.Writer // nil: nothing is shown
	now  func() time.Time
	last time.Time // of a line
	bar  *progressbar.ProgressBar
	// terminal says that there is to be a bar, which is made when it is known of how much.
	terminal bool
}

// Progress begins to show how far work is. The work has to end with [Progress.End].
func (a *App) Progress(what string) *Progress {
	p := newProgress(what, a.Stderr, OnTerminal(a.Stderr), time.Now)
	if a.JSON {
		p.out = nil
	}
	return p
}

func newProgress(what string, out io.Writer, terminal bool, now func() time.Time) *Progress {
	return &Progress{what: what, out: out, terminal: terminal, now: now, last: now()}
}

// At shows that so much of all is done.
func (p *Progress) At(done, all int64) {
	switch {
	case p.out == nil || all <= 0:
	case p.terminal:
		if p.bar == nil {
			p.bar = progressbar.NewOptions64(all, progressbar.OptionSetWriter(p.out), progressbar.OptionSetDescription(p.what),
				progressbar.OptionClearOnFinish(), progressbar.OptionThrottle(100*time.Millisecond), progressbar.OptionSetWidth(30),
				progressbar.OptionSetPredictTime(true))
		}
		_ = p.bar.Set64(min(done, all-1)) // all of it is the end, which End shows
	case p.now().Sub(p.last) >= progressEvery:
		p.last = p.now()
		_, _ = fmt.Fprintf(p.out, "%s: %d %%\n", p.what, done*100/all)
	}
}

// End takes the bar away.
func (p *Progress) End() {
	if p.bar != nil {
		_ = p.bar.Finish()
	}
}
