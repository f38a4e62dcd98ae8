package e2e

import (
	"errors"
	"regexp"
	"strings"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host"
)

// refs reads the first tab and gives the refs of its buttons by their names.
func (w *world) refs() map[string]string {
	w.t.Helper()
	reading, err := w.Tab("").Read(w.ctx, nil)
	if err != nil {
		w.t.Fatal(err)
	}
	refs := map[string]string{}
	for _, m := range regexp.MustCompile(`button "([^"\n]*)".*(@e\d+)`).FindAllStringSubmatch(reading.Text, -1) {
		refs[m[1]] = m[2]
	}
	return refs
}

func TestARefIsClickedInEveryPlace(t *testing.T) {
	w := newWorld(t, actPages, host.TaskOptions{})
	w.openAct()
	refs := w.refs()
	for _, id := range []string{"top", "in-open", "in-closed", "same", "srcdoc", "one", "two", "three", "in-three"} {
		name := strings.ReplaceAll(id, "-", " ")
		acted, err := w.Tab("").Click(w.ctx, host.ByRef(refs[name]), nil)
		if err != nil {
			t.Fatalf("%s, %s: %v", id, refs[name], err)
		}
		want(t, "the event of "+id, w.reported(id), "true")
		want(t, "the element", acted.Element, `button "`+name+`"`)
	}
}

func TestAStaleRefNeverActsOnAnotherElement(t *testing.T) {
	w := newWorld(t, map[string]string{
		"/page": `<div id=list><button onclick="report('clicked', 1)">Save</button></div>`,
	}, host.TaskOptions{})
	for name, change := range map[string]func(){
		"rendered again": func() { w.evaluate("list.innerHTML = list.innerHTML; 0") },
		"loaded again":   func() { w.open("/page") },
		"removed":        func() { w.evaluate("list.remove(); 0") },
	} {
		w.open("/page")
		ref := w.refs()["Save"]
		change()
		for what, act := range map[string]func(host.Locator) error{
			"click": func(l host.Locator) error { _, err := w.Tab("").Click(w.ctx, l, nil); return err },
			"force": func(l host.Locator) error {
				_, err := w.Tab("").Click(w.ctx, l, &host.ClickOptions{ActionOptions: host.ActionOptions{Force: true}})
				return err
			},
			"type": func(l host.Locator) error { _, err := w.Tab("").Type(w.ctx, l, "x", nil); return err },
			"text": func(l host.Locator) error {
				_, err := w.Tab("").Text(w.ctx, &host.TextOptions{Locator: l})
				return err
			},
		} {
			err := act(host.Locator{Ref: ref})
			var stale *host.StaleRefError
			if !errors.As(err, &stale) {
				t.Errorf("%s, %s: %v", name, what, err)
			}
		}
	}
	if w.hasReported("clicked") {
		t.Error("another element was clicked")
	}
	_, err := w.Tab("").Click(w.ctx, host.ByRef("@e999"), nil)
	wantError(t, err, host.ErrUnknownRef)
	_, err = w.Tab("").Click(w.ctx, host.Locator{Ref: "@e1", Selector: "p"}, nil)
	if err == nil {
		t.Error("two names were taken")
	}
}
