package tasks

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/hosttest"
)

// patience is how long a test waits for an event; correct code never reaches it.
const patience = time.Minute

func TestATaskIsStartedWatchedAndEnded(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	h, err := host.New(ctx, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := h.Close(context.Background()); err != nil {
			t.Error(err)
		}
	}()
	starts := 0
	tasks := New(h, func(ctx context.Context, id string) error {
		starts++
		_, err := h.Launch(ctx, id, &host.LaunchOptions{Executable: hosttest.Executable(t)}, &host.TaskOptions{DialogPolicy: "must_respond"})
		return err
	})
	if tasks.Running("one") != nil || tasks.End(ctx, "one") != nil {
		t.Error("a task runs before it was started")
	}
	awaited := make(chan *host.Task, 1)
	go func() {
		task, _ := tasks.Await(ctx, "one")
		awaited <- task
	}()
	task, err := tasks.Start(ctx, "one")
	if err != nil {
		t.Fatal(err)
	}
	if got := <-awaited; got != task || tasks.Running("one") != task {
		t.Error("what was awaited is another task")
	}
	if again, err := tasks.Start(ctx, "one"); again != task || err != nil || starts != 1 {
		t.Errorf("a second start gives %v, %v, after %d", again, err, starts)
	}

	changes := make(chan []Part, 100)
	watched := make(chan struct{})
	before := task.SettledSnapshot(ctx) // or it may have the frame already
	go func() {
		defer close(watched)
		Watch(ctx, task, before, func(changed []Part, _ *host.Snapshot) { changes <- changed })
	}()
	await := func(part Part) {
		t.Helper()
		for {
			select {
			case changed := <-changes:
				if slices.Contains(changed, part) {
					return
				}
			case <-ctx.Done():
				t.Fatalf("no change of %s was told", part)
			}
		}
	}
	evaluate := func(expression string) error {
		_, err := task.Tab("").Evaluate(ctx, expression, nil)
		return err
	}
	if err := evaluate(`document.body.append(document.createElement("iframe"))`); err != nil {
		t.Fatal(err)
	}
	await(PartFrames)
	if err := evaluate(`alert("stop")`); !errors.Is(err, host.ErrBlockedByDialog) {
		t.Fatalf("an alert gives %v", err)
	}
	await(PartDialogs)
	if dialogs := DialogsOf(task.Snapshot()); len(dialogs.Pending) != 1 || dialogs.Pending[0].Message != "stop" {
		t.Errorf("the dialogs are %+v", dialogs)
	}
	if frames := FramesOf(task.Snapshot()); len(frames) != 1 || len(frames[0].FrameTree.Children) != 1 {
		t.Errorf("the frames are %+v", frames)
	}
	if err := tasks.End(ctx, "one"); err != nil {
		t.Error(err)
	}
	<-watched
	if tasks.Running("one") != nil {
		t.Error("the task runs after its end")
	}
}

func TestATaskThatCanNotBeStarted(t *testing.T) {
	h, err := host.New(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = h.Close(context.Background()) }()
	no := errors.New("no browser today")
	tasks := New(h, func(context.Context, string) error { return no })
	if _, err := tasks.Start(t.Context(), "one"); !errors.Is(err, no) {
		t.Errorf("the error is %v", err)
	}
	none := New(h, func(context.Context, string) error { return nil })
	if _, err := none.Start(t.Context(), "one"); !errors.Is(err, host.ErrBrowserGone) {
		t.Errorf("a task that is gone at once: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := tasks.Await(ctx, "one"); !errors.Is(err, context.Canceled) {
		t.Errorf("nothing awaited gives %v", err)
	}
}
