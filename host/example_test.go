package host_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"net/http"
	"net/http/httptest"
	"time"

	"github.com/hermes-cdp/hermes-cdp/host"
)

// serve stands for the site that an agent works on.
func serve(html string) *httptest.Server {
	return httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = fmt.Fprint(w, html)
	}))
}

// A task on a browser that the host starts: a dialog opens, the agent answers it, and the page goes on.
func ExampleHost_Launch() {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	site := serve(`<script>addEventListener("load", () => setTimeout(() => { window.answer = confirm("Delete 3 files?") }))</script>`)
	defer site.Close()

	h, err := host.New(ctx, host.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer func() { _ = h.Close(ctx) }()
	task, err := h.Launch(ctx, "example", host.LaunchOptions{}, host.TaskOptions{})
	if err != nil {
		log.Fatal(err)
	}
	if err := task.Navigate(ctx, "", site.URL); err != nil {
		log.Fatal(err)
	}

	snapshot, _ := task.Wait(ctx, func(s *host.Snapshot) bool { return len(s.PendingDialogs) > 0 })
	dialog := snapshot.PendingDialogs[0]
	fmt.Println(dialog.ID, dialog.Type, dialog.Message)

	_, err = task.Evaluate(ctx, "1 + 1", host.EvaluateOptions{})
	fmt.Println("blocked:", errors.Is(err, host.ErrBlockedByDialog))

	closed, err := task.RespondDialog(ctx, host.DialogResponse{Accept: true})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("closed by", closed.ClosedBy)
	answer, err := task.Evaluate(ctx, "answer", host.EvaluateOptions{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("the page got", string(answer.Value))
	// Output:
	// d-1 confirm Delete 3 files?
	// blocked: true
	// closed by agent
	// the page got true
}

// With a named policy the dialog plugin answers, and the events say what happened.
func ExampleTask_Events() {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	site := serve(`<script>addEventListener("load", () => setTimeout(() => prompt("Your name?", "Ada")))</script>`)
	defer site.Close()

	h, err := host.New(ctx, host.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer func() { _ = h.Close(ctx) }()
	task, err := h.Launch(ctx, "example", host.LaunchOptions{}, host.TaskOptions{DialogPolicy: "auto_accept"})
	if err != nil {
		log.Fatal(err)
	}
	events := task.Events(16)
	defer events.Close()
	if err := task.Navigate(ctx, "", site.URL); err != nil && !errors.Is(err, host.ErrBlockedByDialog) {
		log.Fatal(err)
	}
	for e := range events.C {
		if e.Kind == host.EventDialogClosed {
			fmt.Printf("%s closed by %s of %s, the page got %q\n", e.Dialog.Type, e.Dialog.ClosedBy, e.Dialog.DecidedBy.Module, e.Dialog.Text)
			break
		}
	}
	// Output:
	// prompt closed by auto_policy of dialog-policy, the page got "Ada"
}

// The frame tree of a page after the frame filter.
func ExampleTask_SettledSnapshot() {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	site := serve(`<iframe name="one" srcdoc="hello"></iframe><iframe name="two" sandbox srcdoc="hello"></iframe>`)
	defer site.Close()

	h, err := host.New(ctx, host.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer func() { _ = h.Close(ctx) }()
	task, err := h.Launch(ctx, "example", host.LaunchOptions{}, host.TaskOptions{})
	if err != nil {
		log.Fatal(err)
	}
	if err := task.Navigate(ctx, "", site.URL); err != nil {
		log.Fatal(err)
	}
	loaded := func(f host.Frame) bool { return f.URL == "about:srcdoc" }
	task.Wait(ctx, func(s *host.Snapshot) bool {
		frames := s.Page().RawFrameTree.Children
		return len(frames) == 2 && loaded(frames[0]) && loaded(frames[1])
	})
	for _, frame := range task.SettledSnapshot(ctx).Page().FrameTree.Children {
		fmt.Println(frame.Name, frame.URL)
	}
	// Output:
	// one about:srcdoc
	// two about:srcdoc
}
