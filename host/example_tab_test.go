package host_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image/png"
	"log"
	"os"
	"strings"
	"time"

	"github.com/hermes-cdp/hermes-cdp/host"
)

// What an agent reads: the elements of all frames, with refs for those that can be acted on.
func ExampleTab_Read() {
	s := start(`<h1>Orders</h1><a href="/new">New order</a><iframe srcdoc="<button>Pay</button>"></iframe>`)
	defer s.end()
	tab := s.Tab("")
	if err := tab.Wait(s.ctx, host.BySelector("button"), host.WaitVisible); err != nil {
		log.Fatal(err)
	}
	page, err := tab.Read(s.ctx, nil)
	if err != nil {
		log.Fatal(err)
	}
	for _, line := range []string{`heading "Orders"`, `link "New order"`, `button "Pay"`} {
		fmt.Println(line, strings.Contains(page.Text, line))
	}
	fmt.Println(page.Refs, "can be acted on")
	// Output:
	// heading "Orders" true
	// link "New order" true
	// button "Pay" true
	// 2 can be acted on
}

// A form, filled in as a person does it.
func ExampleTab_Type() {
	s := start(`<form onsubmit="document.title = [who.value, size.value, gift.checked].join(); return false">
<input id=who aria-label=Name><select id=size><option>S<option>M</select><input id=gift type=checkbox><button>Order</button></form>`)
	defer s.end()
	tab := s.Tab("")
	_, err := tab.Type(s.ctx, host.ByRole("textbox", "Name"), "Grace", nil)
	_, chosen := tab.Select(s.ctx, host.BySelector("#size"), []string{"M"}, nil)
	_, checked := tab.Check(s.ctx, host.BySelector("#gift"), true, nil)
	_, pressed := tab.Press(s.ctx, "Enter", &host.PressOptions{Locator: host.BySelector("#who")})
	if err := errors.Join(err, chosen, checked, pressed); err != nil {
		log.Fatal(err)
	}
	document, err := tab.Document(s.ctx)
	fmt.Println(document.Title, err)
	// Output:
	// Grace,M,true <nil>
}

// Script on an element, in a world that the page's own scripts cannot see.
func ExampleTab_Evaluate() {
	s := start(`<ul><li>one<li>two<li>three</ul>`)
	defer s.end()
	got, err := s.Tab("").Evaluate(s.ctx, "list => list.children.length", &host.EvaluateOptions{
		Locator: host.BySelector("ul"), World: host.WorldIsolated,
	})
	fmt.Println(string(got.Value), err)
	// Output:
	// 3 <nil>
}

// A wait lasts as long as the context allows.
func ExampleTab_Wait() {
	s := start(`<p>loading</p><script>setTimeout(() => { document.querySelector("p").textContent = "here it is" }, 100)</script>`)
	defer s.end()
	tab := s.Tab("")
	fmt.Println(tab.Wait(s.ctx, host.ByText("here it is"), host.WaitVisible))
	soon, cancel := context.WithTimeout(s.ctx, 200*time.Millisecond)
	defer cancel()
	err := tab.Wait(soon, host.ByText("loading"), host.WaitVisible)
	fmt.Println(err, errors.Is(err, host.ErrTimeout))
	// Output:
	// <nil>
	// the text "loading" did not become visible in time true
}

// A picture of one element.
func ExampleTab_Screenshot() {
	s := start(`<div id=box style="width: 120px; height: 40px; background: teal"></div>`)
	defer s.end()
	shot, err := s.Tab("").Screenshot(s.ctx, &host.ScreenshotOptions{Locator: host.BySelector("#box")})
	if err != nil {
		log.Fatal(err)
	}
	picture, err := png.Decode(bytes.NewReader(shot.PNG))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(picture.Bounds().Size())
	// Output:
	// (120,40)
}

// A click that serves a file, which is kept in a directory of ours.
func ExampleTab_Download() {
	s := start(`<a href="data:text/plain,hello" download="greeting.txt">Download</a>`)
	defer s.end()
	dir, err := os.MkdirTemp("", "files")
	if err != nil {
		log.Fatal(err)
	}
	defer func() { _ = os.RemoveAll(dir) }()
	file, err := s.Tab("").Download(s.ctx, host.ByText("Download"), dir)
	if err != nil {
		log.Fatal(err)
	}
	text, err := os.ReadFile(file.Path)
	fmt.Println(file.Name, string(text), err)
	// Output:
	// greeting.txt hello <nil>
}

// Tabs and popups have handles that never change.
func ExampleTask_OpenTab() {
	s := start(`<title>first</title>`)
	defer s.end()
	tab, err := s.OpenTab(s.ctx, "")
	if err != nil {
		log.Fatal(err)
	}
	for _, tab := range s.Tabs() {
		fmt.Println(tab.ID(), tab.Info().InUse)
	}
	if err := tab.Close(s.ctx); err != nil {
		log.Fatal(err)
	}
	_, err = tab.Read(s.ctx, nil)
	fmt.Println(errors.Is(err, host.ErrUnknownTarget))
	// Output:
	// t1 false
	// t2 true
	// true
}

// One type for every error: what was done, and a code that has its cause and its cure in docs/errors.md.
func ExampleError() {
	s := start(`<button>Save</button><button>Save</button>`)
	defer s.end()
	_, err := s.Tab("").Click(s.ctx, host.ByRole("button", "Save"), nil)
	var failed *host.Error
	if errors.As(err, &failed) {
		fmt.Println(failed.Op, string(failed.Code), errors.Is(err, host.ErrAmbiguousElement))
	}
	// Output:
	// click ambiguous_element true
}
