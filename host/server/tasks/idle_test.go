package tasks

import (
	"context"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/hosttest"
)

func TestWhichTasksAreIdle(t *testing.T) {
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
	launch := func(ctx context.Context, id string) error {
		_, err := h.Launch(ctx, id, &host.LaunchOptions{Executable: hosttest.Executable(t)}, nil)
		return err
	}
	tasks := New(h, launch)
	if err := launch(ctx, "somebody's"); err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{"somebody's", "one"} {
		if _, err := tasks.Start(ctx, id); err != nil {
			t.Fatal(err)
		}
	}
	task := tasks.Running("one")
	want := func(when string, is bool) {
		t.Helper()
		if list := tasks.idle(1); len(list) != 0 != is || is && list[0] != task {
			t.Errorf("%s the idle tasks are %v", when, list)
		}
	}
	want("at first", true)
	release, more := tasks.Hold("one"), tasks.Hold("one")
	want("held", false)
	release()
	release()
	want("held once more", false)
	more()
	want("let go", true)

	waiting, stop := context.WithCancel(ctx)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_, _ = task.Tab("").Evaluate(waiting, `console.log("waiting"); new Promise(() => {})`, &host.EvaluateOptions{AwaitPromise: true})
	}()
	if _, logged := task.Wait(ctx, func(s *host.Snapshot) bool { return s.ConsoleTotal > 0 }); !logged {
		t.Fatal("the call does not run")
	}
	want("while a call waits", false)
	stop()
	<-ended
	if err := task.Retire(ctx, "nobody wants it"); err != nil {
		t.Error(err)
	}
	want("when it has ended", false)
	again, err := tasks.Start(ctx, "one")
	if err != nil {
		t.Fatal(err)
	}
	if lost := again.Restarted(); lost == nil || lost.Reason != "nobody wants it" || len(lost.Tabs) != 1 {
		t.Errorf("lost with the task was %+v", lost)
	}
}
