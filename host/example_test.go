package host_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"
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

// A task on a browser that the host starts: an agent reads a page and clicks; a dialog opens, the agent answers it, and
// the click goes on.
func ExampleHost_Launch() {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	site := serve(`<title>Files</title><button onclick="this.textContent = confirm('Delete 3 files?') ? 'Deleted' : 'Kept'">Delete</button>`)
	defer site.Close()

	h, err := host.New(ctx, nil)
	if err != nil {
		log.Fatal(err)
	}
	defer func() { _ = h.Close(ctx) }()
	task, err := h.Launch(ctx, "example", nil, nil)
	if err != nil {
		log.Fatal(err)
	}
	tab := task.Tab("")
	document, err := tab.Navigate(ctx, site.URL, nil)
	if err != nil {
		log.Fatal(err)
	}
	page, err := tab.Read(ctx, nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(document.Title, strings.Contains(page.Text, `button "Delete"`))

	_, err = tab.Click(ctx, host.ByRole("button", "Delete"), nil)
	var blocked *host.BlockedError
	if !errors.As(err, &blocked) {
		log.Fatal(err)
	}
	dialog, err := task.RespondDialog(ctx, host.DialogResponse{Accept: true})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(dialog.Type, dialog.Message, "closed by", dialog.ClosedBy)
	if _, err := task.Resume(ctx, blocked.CallID); err != nil {
		log.Fatal(err)
	}
	text, err := tab.Text(ctx, nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(text.Text)
	// Output:
	// Files true
	// confirm Delete 3 files? closed by agent
	// Deleted
}

// With a named policy the dialog plugin answers, and the events say what happened.
func ExampleTask_Events() {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	site := serve(`<script>addEventListener("load", () => setTimeout(() => prompt("Your name?", "Ada")))</script>`)
	defer site.Close()

	h, err := host.New(ctx, nil)
	if err != nil {
		log.Fatal(err)
	}
	defer func() { _ = h.Close(ctx) }()
	task, err := h.Launch(ctx, "example", nil, &host.TaskOptions{DialogPolicy: "auto_accept"})
	if err != nil {
		log.Fatal(err)
	}
	events := task.Events(16)
	defer events.Close()
	if _, err := task.Tab("").Navigate(ctx, site.URL, nil); err != nil && !errors.Is(err, host.ErrBlockedByDialog) {
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

	h, err := host.New(ctx, nil)
	if err != nil {
		log.Fatal(err)
	}
	defer func() { _ = h.Close(ctx) }()
	task, err := h.Launch(ctx, "example", nil, nil)
	if err != nil {
		log.Fatal(err)
	}
	if _, err := task.Tab("").Navigate(ctx, site.URL, nil); err != nil {
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
