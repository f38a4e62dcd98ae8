package web

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/plugins/contrary"
)

// keys presses them one by one.
func (s *stage) keys(keys ...string) {
	s.t.Helper()
	for _, key := range keys {
		_, err := s.page().Press(s.ctx, key, nil)
		s.must("pressing "+key, err)
	}
}

// reach goes by Tab to the control with a name: its label, or its text. In is the label of the section that it is in,
// if others have a control of that name.
func (s *stage) reach(name, in string) {
	s.t.Helper()
	wanted, _ := json.Marshal(name)
	section, _ := json.Marshal(in)
	reached := fmt.Sprintf(`(() => {
		const e = document.activeElement, name = e.getAttribute("aria-label") ?? e.labels?.[0]?.innerText ?? e.innerText;
		return name.trim() === %s && (!%s || e.closest("section")?.getAttribute("aria-label") === %s);
	})()`, wanted, section, section)
	for range 300 {
		if s.evaluate(s.person, reached, "") == "true" {
			return
		}
		s.keys("Tab")
	}
	s.must("going to "+name, fmt.Errorf("no control has that name"))
}

// Among fifty tasks on one browser, a person with a phone-sized window and nothing but a keyboard finds the one that is
// stuck, sees why, answers its dialog, takes it over, types into its frame of another site, gives it back, and puts a
// better policy into service. The pictures of docs/guides/stuck-among-fifty.md are of this.
func TestAPersonWithAKeyboardFindsTheStuckTaskAmongFifty(t *testing.T) {
	s := newStage(t)
	for i := range 49 {
		s.launch(fmt.Sprintf("shop-%d", 100+i))
	}
	if r := s.call("browser_navigate", `{"url":"`+s.site()+`"}`); r.IsError {
		t.Fatal(r.Text)
	}
	s.screen = host.Emulation{Width: 375, Height: 740}
	s.must("emulating", s.person.Emulate(s.ctx, s.screen))
	_, err := s.page().Navigate(s.ctx, s.server.Link(s.address).URL, nil)
	s.must("opening the link", err)
	s.shows("51 of 51")
	if r := s.call("browser_click", `{"selector":"#ask"}`); r.Structured["code"] != "blocked_by_dialog" {
		t.Fatalf("the click gives %s", r.Text)
	}
	s.shows("1 pending")
	s.picture("walk-1-find")

	s.reach("shop-7", "")
	s.keys("Enter")
	s.shows("confirm d-1")
	s.must("waiting for a picture", s.page().WaitTrue(s.ctx, `document.querySelector("canvas") && !document.body.innerText.includes("No picture yet")`, ""))
	s.picture("walk-2-see")
	s.reach("Dismiss", "")
	s.keys("Enter")
	s.shows("agent, dismissed")
	s.reach("Explain d-1", "")
	s.keys("Enter")
	s.shows("closed after")
	s.evaluate(s.person, `document.activeElement.closest("section").scrollIntoView(); 0`, "")
	s.picture("walk-3-explain")

	s.reach("Take over", "")
	s.keys("Enter")
	s.shows("the agent waits")
	s.reach("Live picture of the page; clicks and keys go to the page, Shift+Escape leaves it", "")
	s.keys("Tab", "J", "o", "e") // the focus was on the button
	frame := s.task.Snapshot().Targets[0].FrameTree.Children[0].FrameID
	s.must("typing into the frame", s.task.Tab("").WaitTrue(s.ctx, `document.querySelector("#field").value === "Joe"`, frame))
	s.keys("Shift+Escape")
	s.reach("Note for the agent", "")
	s.keys(strings.Split("The card holder is filled in.", "")...)
	s.picture("walk-4-take-over")
	s.reach("Give back", "")
	s.keys("Enter")
	s.shows("Take over")
	if r := s.call("browser_tabs", `{}`); r.IsError || !strings.Contains(r.Text, "The card holder is filled in.") {
		t.Errorf("the agent reads %s", r.Text)
	}

	file := filepath.Join(t.TempDir(), "policy.wasm")
	if err := os.WriteFile(file, contrary.Dialog(), 0o600); err != nil {
		t.Fatal(err)
	}
	s.reach("Plugins", "")
	s.keys("Enter")
	s.must("waiting for the plugins", s.page().WaitTrue(s.ctx, `document.querySelector("input[type=file]")`, ""))
	// The dialog in which a person chooses is the browser's own.
	_, err = s.page().Upload(s.ctx, host.BySelector("input[type=file]"), []string{file}, nil)
	s.must("choosing a module", err)
	s.shows("passes every check")
	s.reach("Shadow the checked module", "dialog-policy")
	s.keys("Enter")
	s.shows("Candidate: generation 2")
	s.evaluate(s.person, `document.querySelector("section[aria-label=dialog-policy]").scrollIntoView(); 0`, "")
	s.picture("walk-5-shadow")
	s.reach("Promote", "dialog-policy")
	s.keys("Enter")
	s.shows("generation 2, bytes")
	s.evaluate(s.person, `document.querySelector("section[aria-label=dialog-policy]").scrollIntoView(); 0`, "")
	s.picture("walk-6-promote")
	if r := s.call("browser_click", `{"selector":"#ask"}`); r.IsError || !strings.Contains(s.evaluate(s.task, `document.querySelector("#ask").textContent`, ""), "cancelled") {
		t.Errorf("the policy in service did not answer: %s", r.Text)
	}
}
