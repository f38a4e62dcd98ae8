package browsertool

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/agent/browsertool/act"
	"github.com/hermes-cdp/hermes-cdp/host/agent/browsertool/toolkit"
	"github.com/hermes-cdp/hermes-cdp/host/agent/internal/result"
	"github.com/hermes-cdp/hermes-cdp/internal/pagetext"
)

// InteractParams are the parameters of browser_interact.
type InteractParams struct {
	// URL is opened first, unless it is empty.
	URL string `json:"url,omitempty" doc:"open first"`
	// Actions are 1 to 100 actions, run in order.
	Actions []Action `json:"actions" need:"yes" max:"100"`
	// StopOnError skips the rest after an action that failed. A failed goto always does.
	StopOnError bool `json:"stop_on_error,omitempty"`
	// Tab is a handle (t1) or a target id; empty: the tab in use.
	Tab string `json:"tab,omitempty"`
	// Observing is done once, after the last action.
	toolkit.Observing
	// Timeout bounds all of them. 0: [BrowserOptions.Timeout], plus 5 s and its sleep for each action, up to 10 minutes.
	toolkit.Timeout
}

// Action is one action of browser_interact. Which fields it takes depends on its kind.
type Action struct {
	Action string `json:"action" need:"yes" enum:"goto,click,dblclick,fill,hover,press,scroll,select,check,drag,extract_text,wait_for,wait_for_selector,screenshot,sleep,back,forward,reload"`
	// URL is what goto opens, or what wait_for waits for, as in [WaitParams].
	URL string `json:"url,omitempty"`
	// WaitUntil is the state that a goto waits for, as in [NavigateParams].
	WaitUntil string `json:"wait_until,omitempty" enum:"commit,domcontentloaded,load,networkidle" list:"no"`
	// The element is that of a [Target]; Text is what it shows, or, of fill, what to type.
	Ref      string `json:"ref,omitempty"`
	Selector string `json:"selector,omitempty"`
	Role     string `json:"role,omitempty"`
	Name     string `json:"name,omitempty"`
	FrameID  string `json:"frame_id,omitempty" list:"no"`
	// FieldText names the field of fill. Append keeps what the field has, and Submit presses Enter afterwards.
	FieldText    string  `json:"field_text,omitempty" list:"no"`
	Text         *string `json:"text,omitempty"`
	Append       bool    `json:"append,omitempty"`
	Submit       bool    `json:"submit,omitempty"`
	act.Clicking `list:"no"`
	Key          string `json:"key,omitempty"`
	// Values are those to select.
	Values []string `json:"values,omitempty"`
	// Checked is what check sets; nil: true.
	Checked *bool `json:"checked,omitempty"`
	act.Onto
	Direction string `json:"direction,omitempty" enum:"up,down,left,right"`
	// State, Request, Expression and LoadState are those of [WaitParams]; wait_for_selector knows no enabled.
	State         string `json:"state,omitempty" enum:"visible,hidden,attached,detached,enabled"`
	Request       string `json:"request,omitempty" list:"no"`
	Expression    string `json:"expression,omitempty" list:"no"`
	LoadState     string `json:"load_state,omitempty" enum:"domcontentloaded,load,networkidle" list:"no"`
	WaitForHidden string `json:"wait_for_hidden,omitempty"`
	// WaitForHiddenMS is as in [Checks].
	WaitForHiddenMS int  `json:"wait_for_hidden_ms,omitempty" min:"1" max:"600000" list:"no"`
	Force           bool `json:"force,omitempty"`
	// MaxChars limits a text. 0: 65,536.
	MaxChars int `json:"max_chars,omitempty" min:"1" max:"1000000" list:"no"`
	// Offset is as in [ExtractParams].
	Offset   int  `json:"offset,omitempty" min:"0" max:"100000000" list:"no"`
	FullPage bool `json:"full_page,omitempty"`
	// OutPath is the file for the picture, as in [ScreenshotParams].
	OutPath string `json:"out_path,omitempty"`
	// MS is how long to sleep, in milliseconds.
	MS int `json:"ms,omitempty" min:"0" max:"30000"`
	// TimeoutMS bounds the action in milliseconds. 0: what is left of the call, less 5 s for each action that follows.
	TimeoutMS int `json:"timeout_ms,omitempty" min:"1" max:"600000"`
}

// InteractResult is the result of browser_interact.
type InteractResult struct {
	// Success says whether all actions did what was asked.
	Success bool           `json:"success" schema:"-"`
	Results []ActionResult `json:"results"`
	// Aborted says that the rest was skipped. AbortReason is goto_failed, initial_goto_failed, stop_on_error,
	// blocked_by_dialog, browser_gone or timeout.
	Aborted     bool   `json:"aborted,omitempty"`
	AbortReason string `json:"abort_reason,omitempty"`
	// URL and Title are those of the tab at the end.
	URL   string `json:"url"`
	Title string `json:"title"`
	// Observed is what all actions together changed on the page, if that was asked for.
	Observed  *toolkit.Observed `json:"observed,omitempty" schema:"-"`
	Untrusted *result.Untrusted `json:"untrusted,omitempty" schema:"-"`

	pictures []result.Image
}

// ActionResult is the result of one action.
type ActionResult struct {
	Action  string    `json:"action"`
	Success bool      `json:"success"`
	Error   string    `json:"error,omitempty"`
	Kind    host.Code `json:"kind,omitempty"`
	Code    host.Code `json:"code,omitempty"`
	// Result is that of the corresponding tool.
	Result any `json:"result,omitempty"`

	counts result.Counted
}

// The reasons of [InteractResult.AbortReason].
const (
	AbortGoto        = "goto_failed"
	AbortInitialGoto = "initial_goto_failed"
	AbortStop        = "stop_on_error"
	AbortDialog      = "blocked_by_dialog"
	AbortTimeout     = "timeout"
	AbortBrowser     = "browser_gone"
)

// maxInteract bounds a call without a timeout of its own.
const maxInteract = 10 * time.Minute

// Interact runs a list of actions. A failed action is part of the result. An error is either about the list, or a
// [*host.BlockedError] or [*host.DeliveredError]; [Browser.Resume] then goes on with the interrupted action and with
// the rest.
func (b *Browser) Interact(ctx context.Context, p InteractParams) (InteractResult, error) {
	if len(p.Actions) == 0 || len(p.Actions) > 100 {
		return InteractResult{}, result.BadArgument("actions", "there are %d; give 1 to 100", len(p.Actions))
	}
	for i, a := range p.Actions {
		err := a.check()
		if err == nil && a.OutPath != "" {
			_, _, err = b.kit.PictureRoot(a.OutPath)
		}
		if err != nil {
			return InteractResult{}, inAction(i, err)
		}
	}
	if err := p.permitted(ctx); err != nil {
		return InteractResult{}, err
	}
	if _, err := b.kit.Tab(p.Tab); err != nil {
		return InteractResult{}, err
	}
	run := &interaction{b: b, params: p, left: p.budget(b.kit.Options.Timeout)}
	if p.URL != "" {
		run.queue = append(run.queue, Action{Action: "goto", URL: p.URL})
	}
	run.queue = append(run.queue, p.Actions...)
	if slices.ContainsFunc(p.Actions, func(a Action) bool { return a.Request != "" }) {
		b.kit.Task.WatchNetwork() // also what ends before the wait begins
	}
	return run.run(ctx)
}

// permitted refuses a list with a URL that cannot be loaded, or with script of a client that has no tool to run it,
// before anything is done.
func (p InteractParams) permitted(ctx context.Context) error {
	if p.URL != "" {
		if err := toolkit.Loadable(ctx, "url", p.URL); err != nil {
			return err
		}
	}
	for i, a := range p.Actions {
		var err error
		switch {
		case a.Action == "goto":
			err = toolkit.Loadable(ctx, fmt.Sprintf("actions[%d].url", i), a.URL)
		case a.Expression != "":
			err = toolkit.MayRunScript(ctx, fmt.Sprintf("actions[%d].expression", i))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// budget returns how long all actions may take together.
func (p InteractParams) budget(base time.Duration) time.Duration {
	if p.TimeoutMS > 0 {
		return time.Duration(p.TimeoutMS) * time.Millisecond
	}
	for _, a := range p.Actions {
		base += eachAction + time.Duration(a.MS)*time.Millisecond
	}
	return min(base, maxInteract)
}

func inAction(i int, err error) error {
	var wrong *result.ArgumentError
	if errors.As(err, &wrong) {
		return &result.ArgumentError{Parameter: fmt.Sprintf("actions[%d].%s", i, wrong.Parameter), Problem: wrong.Problem}
	}
	return err
}

// interaction is a list of actions in progress.
type interaction struct {
	b      *Browser
	params InteractParams
	queue  []Action      // including the initial goto
	left   time.Duration // time for the rest; stopped while a dialog is open
	out    InteractResult
}

// run runs the rest of the list.
func (r *interaction) run(ctx context.Context) (InteractResult, error) {
	began := time.Now()
	ctx, cancel := context.WithTimeout(ctx, r.left)
	defer cancel()
	for len(r.out.Results) < len(r.queue) {
		a := r.queue[len(r.out.Results)]
		value, err := r.b.do(ctx, a, r.params.Tab, r.limit(ctx, a))
		if id := toolkit.GoesOn(err); id != "" {
			r.left -= time.Since(began)
			return r.wait(id, err)
		}
		r.note(ctx, a, value, err)
		if r.out.Aborted {
			break
		}
	}
	return r.finish(ctx), nil
}

// eachAction is the time that an action leaves to each one that follows.
const eachAction = 5 * time.Second

// limit is the time of an action. One that sets none and waits in vain leaves some to the others.
func (r *interaction) limit(ctx context.Context, a Action) toolkit.Timeout {
	if a.TimeoutMS > 0 {
		return toolkit.Timeout{TimeoutMS: a.TimeoutMS}
	}
	deadline, _ := ctx.Deadline()
	left, others := time.Until(deadline), len(r.queue)-len(r.out.Results)-1
	share := left - time.Duration(others)*min(eachAction, left/time.Duration(others+1))
	return toolkit.Timeout{TimeoutMS: max(int(share.Milliseconds()), 1), Unchosen: r.params.TimeoutMS == 0}
}

// wait keeps the rest until the dialog is answered, or the page is no longer busy with what was delivered to it.
func (r *interaction) wait(id string, err error) (InteractResult, error) {
	inner := r.b.kit.Kept.Get(id)
	if inner == nil { // displaced by newer calls
		return InteractResult{}, err
	}
	r.b.kit.Kept.Put(id, func(ctx context.Context, resumed host.Resumed, err error) (any, error) {
		value, err := inner(ctx, resumed, err)
		if again := toolkit.GoesOn(err); again != "" {
			return r.wait(again, err)
		}
		r.left = max(r.left, time.Second) // the action has used its time; the rest gets what is left
		r.note(ctx, r.queue[len(r.out.Results)], value, err)
		if r.out.Aborted {
			return r.finish(ctx), nil
		}
		return r.run(ctx)
	})
	return InteractResult{}, err
}

// note records the outcome of an action, and whether the rest is skipped.
func (r *interaction) note(ctx context.Context, a Action, value any, err error) {
	one := ActionResult{Action: a.Action, Success: err == nil}
	if err == nil {
		one.Result = value
		if i, ok := value.(result.Imager); ok {
			r.out.pictures = append(r.out.pictures, i.Images()...)
		}
	} else {
		one.Error, one.Code, one.counts = result.VisibleLines(err.Error()), host.CodeOf(err), result.CountError(err)
		one.Kind = one.Code.Kind()
		r.out.AbortReason = r.abort(ctx, a, err)
		r.out.Aborted = r.out.AbortReason != ""
	}
	r.out.Results = append(r.out.Results, one)
	toolkit.Step(ctx, len(r.out.Results), len(r.queue), a.Action)
}

// abort returns why the rest is skipped after a failed action; empty: it is not.
func (r *interaction) abort(ctx context.Context, a Action, err error) string {
	initial := r.params.URL != "" && len(r.out.Results) == 0
	switch {
	case initial:
		return AbortInitialGoto
	case a.Action == "goto":
		return AbortGoto
	case errors.Is(err, host.ErrBlockedByDialog): // so would all others be
		return AbortDialog
	case errors.Is(err, host.ErrBrowserGone): // nothing works without it
		return AbortBrowser
	case ctx.Err() != nil:
		return AbortTimeout
	case r.params.StopOnError:
		return AbortStop
	}
	return ""
}

func (r *interaction) finish(ctx context.Context) InteractResult {
	r.out.Success = !r.out.Aborted
	for _, one := range r.out.Results {
		r.out.Success = r.out.Success && one.Success
	}
	tab, _ := r.b.kit.Tab(r.params.Tab)                             // a tab that an action closed has no URL
	there, err := r.b.kit.Task.ListTabs(context.WithoutCancel(ctx)) // asks the browser, not the pages, so it is quick
	if err != nil {
		there = []host.TabInfo{r.b.kit.Task.Tab(tab).Info()}
	}
	for _, t := range there {
		if t.TargetID == tab {
			r.out.URL, r.out.Title = result.Visible(t.URL), result.Visible(t.Title)
		}
	}
	named := []string{"results", "url", "title"}
	if r.params.Observes(r.b.kit) && ctx.Err() == nil {
		r.out.Observed = r.b.kit.Observe(ctx, tab, "")
		named = append(named, "observed")
	}
	r.out.Untrusted = r.b.kit.Untrusted(tab, named...)
	return r.out
}

func (r InteractResult) Succeeded() bool { return r.Success }

// Counted adds up the counts of the actions.
func (r InteractResult) Counted() (all result.Counted) {
	for _, one := range r.Results {
		add := one.counts
		if c, ok := one.Result.(result.Counter); ok && one.Success {
			add = c.Counted()
		}
		all.Failure = cmp.Or(all.Failure, add.Failure)
		all.Timeouts += add.Timeouts
		all.Terminations += add.Terminations
		all.Fallbacks = append(all.Fallbacks, add.Fallbacks...)
	}
	return all
}

func (r InteractResult) Images() []result.Image { return r.pictures }

// Guidance collects that of the actions.
func (r InteractResult) Guidance(tools result.Offered) []string {
	var lines []string
	for _, one := range r.Results {
		if g, ok := one.Result.(result.Guide); ok {
			lines = append(lines, g.Guidance(tools)...)
		}
	}
	return append(slices.Compact(lines), r.Observed.Guidance(tools)...)
}

// Text has one or more lines for each action.
func (r InteractResult) Text() string {
	var lines []string
	if r.Aborted {
		lines = append(lines, fmt.Sprintf("aborted after %s: %s", result.Number(len(r.Results), "action"), r.AbortReason))
	}
	for i, one := range r.Results {
		switch t, ok := one.Result.(result.Texter); {
		case !one.Success:
			lines = append(lines, fmt.Sprintf("%d %s failed: %s", i+1, one.Action, one.Error))
		case ok:
			lines = append(lines, fmt.Sprintf("%d %s: %s", i+1, one.Action, t.Text()))
		default:
			lines = append(lines, fmt.Sprintf("%d %s: done", i+1, one.Action))
		}
	}
	lines = append(lines, "the tab is at "+r.URL+" "+pagetext.QuoteShown(r.Title))
	return strings.Join(append(lines, r.Observed.Lines()...), "\n")
}
