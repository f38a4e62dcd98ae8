package demo

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/hermes-cdp/hermes-cdp/host"
)

// step is one thing that is shown.
type step struct {
	title string
	run   func(context.Context, *demo) error
}

var steps = []step{
	{"an alert", func(ctx context.Context, d *demo) error {
		return d.dialog(ctx, "/dialogs.html?kind=alert", "alert", host.DialogResponse{Accept: true})
	}},
	{"a confirm, which the agent dismisses", func(ctx context.Context, d *demo) error {
		return d.dialog(ctx, "/dialogs.html?kind=confirm", "confirm", host.DialogResponse{})
	}},
	{"a prompt, answered with a text", func(ctx context.Context, d *demo) error {
		text := "Grace Hopper ✓"
		return d.dialog(ctx, "/dialogs.html?kind=prompt", "prompt", host.DialogResponse{Accept: true, PromptText: &text})
	}},
	{"a prompt, accepted without a text: the page gets its default", func(ctx context.Context, d *demo) error {
		return d.dialog(ctx, "/dialogs.html?kind=prompt&again", "prompt", host.DialogResponse{Accept: true})
	}},
	{"a cross-origin iframe with a dialog, and the frame tree", frames},
	{"a beforeunload, dismissed: the page stays", stay},
	{"a beforeunload, accepted: the page goes", leave},
	{"a popup that asks while it loads", popup},
	{"another task whose policy accepts: no agent is asked", automatic},
}

// committed does not wait for the page's load event, which a dialog holds up.
var committed = &host.NavigateOptions{WaitUntil: host.WaitCommit}

// dialog opens a page that shows a dialog, answers it, and tells what the page got.
func (d *demo) dialog(ctx context.Context, path, step string, answer host.DialogResponse) error {
	if _, err := d.task.Tab("").Navigate(ctx, d.site.url(path), committed); err != nil {
		return err
	}
	return d.answer(ctx, step, answer)
}

// answer waits for the dialog that is to be shown, answers it as the agent, and waits for the page's report.
func (d *demo) answer(ctx context.Context, step string, answer host.DialogResponse) error {
	dialog, err := d.awaitDialog(ctx)
	if err != nil {
		return err
	}
	d.opened(dialog)
	d.agent(answer)
	closed, err := d.task.RespondDialog(ctx, answer)
	if err != nil {
		return err
	}
	d.closed(closed)
	if step == "" {
		return nil
	}
	return d.awaitReport(ctx, step)
}

// awaitReport waits for what the page tells that it got.
func (d *demo) awaitReport(ctx context.Context, step string) error {
	select {
	case r := <-d.site.reports:
		if r.step != step {
			return fmt.Errorf("the page reported %q, not %q", r.step, step)
		}
		d.pageGot(r.value)
		return nil
	case <-ctx.Done():
		return fmt.Errorf("the page did not report what it got: %w", ctx.Err())
	}
}

// awaitDialog waits until a dialog is pending and its policy has decided.
func (d *demo) awaitDialog(ctx context.Context) (host.Dialog, error) {
	s, ok := d.task.Wait(ctx, func(s *host.Snapshot) bool {
		return len(s.PendingDialogs) == 1 && s.PendingDialogs[0].Action != ""
	})
	if !ok {
		return host.Dialog{}, fmt.Errorf("no dialog was seen: %w", context.Cause(ctx))
	}
	return s.PendingDialogs[0], nil
}

func frames(ctx context.Context, d *demo) error {
	if err := d.dialog(ctx, "/frames.html", "oopif", host.DialogResponse{Accept: true}); err != nil {
		return err
	}
	page := d.task.SettledSnapshot(ctx).Page()
	if page == nil || page.FrameTree == nil {
		return errors.New("there is no frame tree")
	}
	if !slices.ContainsFunc(page.FrameTree.Children, func(f host.Frame) bool { return f.IsOOPIF && f.Name == "cross-origin" }) {
		return errors.New("the cross-origin frame is not an out-of-process iframe")
	}
	d.tree(page.FrameTree)
	return nil
}

// stay shows that a dismissed beforeunload keeps the page. The browser asks only pages that a person has touched.
func stay(ctx context.Context, d *demo) error {
	if _, err := d.task.Tab("").Navigate(ctx, d.site.url("/form.html"), committed); err != nil {
		return err
	}
	touch := `new Promise(done => document.readyState === "complete" ? done() : addEventListener("load", done))`
	if _, err := d.task.Tab("").Evaluate(ctx, touch, &host.EvaluateOptions{UserGesture: true, AwaitPromise: true}); err != nil {
		return err
	}
	return d.tryToLeave(ctx, host.DialogResponse{})
}

func leave(ctx context.Context, d *demo) error {
	return d.tryToLeave(ctx, host.DialogResponse{Accept: true})
}

// tryToLeave navigates away from the form. The call ends at once, because a dialog holds the page.
func (d *demo) tryToLeave(ctx context.Context, answer host.DialogResponse) error {
	_, err := d.task.Tab("").Navigate(ctx, d.site.url("/child.html"), committed)
	switch {
	case err == nil:
		return errors.New("the navigation was not held by a dialog")
	case !errors.Is(err, host.ErrBlockedByDialog):
		return err
	}
	d.note("navigate", err.Error())
	if err := d.answer(ctx, "", answer); err != nil {
		return err
	}
	want := d.site.url("/form.html")
	if answer.Accept {
		want = d.site.url("/child.html")
	}
	// The address of a target changes when a navigation begins, that of its top frame when the document is there.
	s, ok := d.task.Wait(ctx, func(s *host.Snapshot) bool {
		p := s.Page()
		return p != nil && p.URL == want && p.RawFrameTree != nil && p.RawFrameTree.Top.URL == want
	})
	if !ok {
		return fmt.Errorf("the page is at %s, not at %s", s.Page().URL, want)
	}
	d.note("page is at", want)
	return nil
}

func popup(ctx context.Context, d *demo) error {
	text := "HERMES10"
	if err := d.dialog(ctx, "/opener.html", "popup", host.DialogResponse{Accept: true, PromptText: &text}); err != nil {
		return err
	}
	for _, t := range d.task.Snapshot().Targets {
		d.target(t)
	}
	return nil
}

// automatic runs a second task, with a browser of its own and another policy, beside the first.
func automatic(ctx context.Context, d *demo) error {
	options := d.options.Task
	options.DialogPolicy = "auto_accept"
	task, err := d.host.Launch(ctx, "demo-automatic", &d.options.Launch, &options)
	if err != nil {
		return err
	}
	events := task.Events(64)
	defer events.Close()
	if _, err := task.Tab("").Navigate(ctx, d.site.url("/dialogs.html?kind=confirm"), committed); err != nil {
		return err
	}
	for e := range events.C {
		if e.Kind != host.EventDialogClosed {
			continue
		}
		d.opened(*e.Dialog)
		d.closed(*e.Dialog)
		return d.awaitReport(ctx, "confirm")
	}
	return errors.New("the task ended before its dialog closed")
}
