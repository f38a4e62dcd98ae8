package agent_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"net/http"
	"net/http/httptest"
	"time"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/agent"
	"github.com/hermes-cdp/hermes-cdp/host/agent/browsertool"
	"github.com/hermes-cdp/hermes-cdp/host/fault"
)

// serve stands for the site that an agent works on.
func serve(html string) *httptest.Server {
	return httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = fmt.Fprint(w, html)
	}))
}

// start launches a browser with a task.
func start(ctx context.Context) (*host.Host, *host.Task) {
	h, err := host.New(ctx, nil)
	if err != nil {
		log.Fatal(err)
	}
	task, err := h.Launch(ctx, "example", nil, nil)
	if err != nil {
		log.Fatal(err)
	}
	return h, task
}

// A page is read, a field is filled and a button is clicked by the refs of the reading.
func ExampleBrowser_Click() {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	site := serve(`<title>Form</title><input aria-label=Name id=name><button onclick="document.title = 'Hello ' + document.getElementById('name').value">Greet</button>`)
	defer site.Close()
	h, task := start(ctx)
	defer func() { _ = h.Close(ctx) }()

	b := browsertool.NewBrowser(task, browsertool.BrowserOptions{})
	page, err := b.Navigate(ctx, browsertool.NavigateParams{URL: site.URL})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(page.HTTPStatus, page.Title)
	fmt.Println(page.Snapshot)
	if _, err := b.Type(ctx, browsertool.TypeParams{Target: browsertool.Target{Ref: "e1"}, Text: "Ada"}); err != nil {
		log.Fatal(err)
	}
	clicked, err := b.Click(ctx, browsertool.ClickParams{Target: browsertool.Target{Ref: "e2"}})
	if err != nil {
		log.Fatal(err)
	}
	title, err := b.Evaluate(ctx, browsertool.EvaluateParams{Expression: "document.title"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("clicked", clicked.Clicked)
	fmt.Println("the page gave", string(title.Result))
	// Output:
	// 200 Form
	// - textbox "Name" @e1
	// - button "Greet" @e2
	// clicked button "Greet"
	// the page gave "Hello Ada"
}

// A dialog interrupts a call; once it is answered, the call's result is there.
func ExampleBrowser_Resume() {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	site := serve(`<title>Form</title>`)
	defer site.Close()
	h, task := start(ctx)
	defer func() { _ = h.Close(ctx) }()

	b := browsertool.NewBrowser(task, browsertool.BrowserOptions{})
	if _, err := b.Navigate(ctx, browsertool.NavigateParams{URL: site.URL}); err != nil {
		log.Fatal(err)
	}
	_, err := b.Evaluate(ctx, browsertool.EvaluateParams{Expression: "prompt('Your name?', 'Ada')"})
	var blocked *host.BlockedError
	if !errors.As(err, &blocked) {
		log.Fatal(err)
	}
	fmt.Println(blocked.Dialogs[0].Type, blocked.Dialogs[0].Message)
	if _, err := b.Dialog(ctx, browsertool.DialogParams{Action: "accept"}); err != nil {
		log.Fatal(err)
	}
	result, err := b.Resume(ctx, browsertool.ResumeParams{CallID: blocked.CallID})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(string(result.(browsertool.EvaluateResult).Result))
	// Output:
	// prompt Your name?
	// "Ada"
}

// A server lists the tools of a registry and calls them by name, with arguments in JSON.
func ExampleRegistry() {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	site := serve(`<title>Shop</title><h1>Shop</h1>`)
	defer site.Close()
	h, task := start(ctx)
	defer func() { _ = h.Close(ctx) }()

	r, err := agent.New(h, agent.Options{Toolsets: agent.Toolsets{Use: []string{"browser-read"}, Disabled: []string{"browser_vision"}}})
	if err != nil {
		log.Fatal(err)
	}
	defer r.Close()
	for _, tool := range r.Tools(agent.View{Task: task.ID()})[:3] {
		fmt.Println(tool.Name, tool.ReadOnly)
	}
	arguments, err := json.Marshal(map[string]string{"url": site.URL})
	if err != nil {
		log.Fatal(err)
	}
	result, err := r.Call(ctx, agent.Call{Task: task.ID(), Name: "browser_navigate", Arguments: arguments})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(result.Structured["success"], result.Structured["snapshot"])
	_, err = r.Call(ctx, agent.Call{Task: task.ID(), Name: "browser_click"})
	fmt.Println(errors.Is(err, fault.ErrUnknownTool))
	// Output:
	// browser_back false
	// browser_close false
	// browser_extract_text true
	// true - heading "Shop" [level=1]
	// true
}
