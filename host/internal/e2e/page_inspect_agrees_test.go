package e2e

import (
	"bytes"
	"errors"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/internal/e2e/shared"
)

// A password is told in no way: not in the copy that a template holds, nor beyond where a text is cut.
func TestInspectionTellsNoPassword(t *testing.T) {
	w := newWorld(t, map[string]string{
		"/secret": `<div id=all><template><form><input type=password value=hush1><template><input type=PASSWORD value=hush2></template></form></template>
<input type=password id=long value=0123456789></div>`,
	}, host.TaskOptions{})
	w.open("/secret")
	got, err := w.Tab("").Inspect(w.ctx, host.BySelector("#all"), host.InspectHTML, nil)
	if err != nil || strings.Contains(*got.Text, "hush") || !strings.Contains(*got.Text, "<template>") {
		t.Errorf("it is %v: %v", *got.Text, err)
	}
	for what, name := range map[host.Inspected]string{host.InspectValue: "", host.InspectAttribute: "value"} {
		got, err := w.Tab("").Inspect(w.ctx, host.BySelector("#long"), what, &host.InspectOptions{Name: name, MaxChars: 4})
		if err != nil || *got.Text != "••••" || !got.Truncated || got.Chars != 10 {
			t.Errorf("the %s is %q of %d: %v", what, *got.Text, got.Chars, err)
		}
	}
}

// A text is cut between two characters, not within one.
func TestInspectionCutsNoCharacter(t *testing.T) {
	w := newWorld(t, map[string]string{"/cut": `<input id=name value="ab😀cd" title="ab😀cd">`}, host.TaskOptions{})
	w.open("/cut")
	for what, name := range map[host.Inspected]string{host.InspectValue: "", host.InspectAttribute: "title"} {
		got, err := w.Tab("").Inspect(w.ctx, host.BySelector("#name"), what, &host.InspectOptions{Name: name, MaxChars: 3})
		if err != nil || *got.Text != "ab" || !got.Truncated || got.Chars != 6 || strings.ContainsRune(*got.Text, utf8.RuneError) {
			t.Errorf("the %s is %q of %d: %v", what, *got.Text, got.Chars, err)
		}
	}
}

// What an inspection calls enabled can be clicked, and what it does not is refused as disabled.
func TestInspectionAndClickAgree(t *testing.T) {
	w := newWorld(t, map[string]string{
		"/agree": `<button id=plain>1</button><div aria-disabled=true><button id=below>2</button></div><fieldset disabled><button id=set>3</button></fieldset>
<div id=host inert></div><script>host.attachShadow({mode: "closed"}).innerHTML = "<button id=shadow>4</button>"</script>
<svg id=drawn inert width=50 height=50><rect width=50 height=50></rect></svg>`,
	}, host.TaskOptions{})
	w.open("/agree")
	for selector, enabled := range map[string]bool{"#plain": true, "#below": false, "#set": false, "#shadow": false, "#drawn": true} {
		got, err := w.Tab("").Inspect(w.ctx, host.BySelector(selector), host.InspectState, nil)
		if err != nil || got.State["enabled"] != enabled || !got.State["visible"] {
			t.Errorf("%s is %v: %v", selector, got.State, err)
		}
		ctx := w.ctx
		if !enabled {
			ctx = within(t, ctx, shared.Patience(3*time.Second))
		}
		_, err = w.Tab("").Click(ctx, host.BySelector(selector), nil)
		var not *host.NotActionableError
		if errors.As(err, &not) == enabled || not != nil && not.Obstacle != host.ObstacleDisabled {
			t.Errorf("clicking %s: %v", selector, err)
		}
	}
}

// The value of a list of which several options are chosen has all of them.
func TestInspectionHasAllChosenOptions(t *testing.T) {
	w := newWorld(t, map[string]string{
		"/list": `<select id=list multiple><option value=a selected>A<option value=b>B<option value=c selected>C</select><select id=none multiple><option>A</select>`,
	}, host.TaskOptions{})
	w.open("/list")
	for selector, value := range map[string]string{"#list": "a\nc", "#none": ""} {
		got, err := w.Tab("").Inspect(w.ctx, host.BySelector(selector), host.InspectValue, nil)
		if err != nil || got.Text == nil || *got.Text != value {
			t.Errorf("the value of %s is %v: %v", selector, got.Text, err)
		}
	}
}

// An element that its frame has scrolled away is not in view, though the tab would have room for it.
func TestInspectionSeesThroughFrames(t *testing.T) {
	w := newWorld(t, map[string]string{
		"/view": `<style>body { margin: 0 }</style><iframe src="{{127.0.0.1}}/middle" style="position: absolute; left: 20px; top: 30px; width: 300px; height: 200px; border: 0"></iframe>`,
		"/middle": `<style>body { margin: 0 }</style><button id=here>here</button><button id=away style="position: absolute; left: 0; top: 250px">away</button>
<iframe src="/inner" style="position: absolute; left: 10px; top: 40px; width: 100px; height: 100px; border: 0"></iframe>`,
		"/inner": `<style>body { margin: 0 }</style><button id=in style="position: absolute; top: 10px; left: 10px">in</button>
<button id=out style="position: absolute; left: 5px; top: 110px">out</button><script>report("inner")</script>`,
	}, host.TaskOptions{})
	w.open("/view")
	w.reported("inner")
	for selector, view := range map[string]bool{"#here": true, "#away": false, "#in": true, "#out": false} {
		got, err := w.Tab("").Inspect(w.ctx, host.BySelector(selector), host.InspectBox, nil)
		if err != nil || got.Box == nil || got.Box.InView != view {
			t.Errorf("%s: %+v: %v", selector, got.Box, err)
		}
		if selector == "#in" && (got.Box.X != 40 || got.Box.Y != 80) || selector == "#out" && (got.Box.X != 35 || got.Box.Y != 180) {
			t.Errorf("%s is at %+v", selector, got.Box)
		}
	}
}

// A page is saved by the handle of its tab.
func TestPagesAreSavedByHandle(t *testing.T) {
	w := newWorld(t, map[string]string{"/saved": `<p>in the page`}, host.TaskOptions{})
	w.open("/saved")
	var archive bytes.Buffer
	if _, err := w.Tab("t1").Save(w.ctx, host.SaveMHTML, &archive, nil); err != nil || !strings.Contains(archive.String(), "in the page") {
		t.Errorf("the archive is %.300q: %v", archive.String(), err)
	}
	_, err := w.Tab("t9").Save(w.ctx, host.SaveMHTML, &archive, nil)
	wantError(t, err, host.ErrUnknownTarget)
}

// A page that asks before it is printed has its dialog answered, and then the file comes.
func TestAPageThatAsksIsPrinted(t *testing.T) {
	w := newWorld(t, map[string]string{"/asks": `<p>in the page<script>addEventListener("beforeprint", () => alert("print?"))</script>`}, host.TaskOptions{})
	w.open("/asks")
	var paper bytes.Buffer
	_, err := w.Tab("").Save(w.ctx, host.SavePDF, &paper, nil)
	var blocked *host.BlockedError
	if !errors.As(err, &blocked) {
		t.Fatalf("printing: %v", err)
	}
	w.answer(host.DialogResponse{Accept: true})
	r, err := w.Resume(w.ctx, blocked.CallID)
	if n, ok := r.Value.(int64); err != nil || !ok || int(n) != paper.Len() || !strings.HasPrefix(paper.String(), "%PDF-") {
		t.Errorf("%v bytes, %.20q: %v", r.Value, paper.String(), err)
	}
}
