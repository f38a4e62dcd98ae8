package demo

import (
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/hermes-cdp/hermes-cdp/host"
)

// story tells what happens, as lines for people or as JSON objects.
type story struct {
	out   io.Writer
	json  bool
	steps int
}

// tell writes one line: a word, and what it is about. Value is what JSON shows instead of the text.
func (s *story) tell(word, text string, value any) {
	if s.json {
		line, err := json.Marshal(map[string]any{"step": s.steps, "what": word, "value": value})
		if err != nil {
			line = fmt.Appendf(nil, `{"error":%q}`, err.Error())
		}
		fmt.Fprintf(s.out, "%s\n", line)
		return
	}
	fmt.Fprintf(s.out, "   %-10s %s\n", word, text)
}

func (s *story) note(word, text string) { s.tell(word, text, text) }

func (s *story) plugin(p host.PluginInfo) {
	s.tell("plugin", fmt.Sprintf("%s, sha256 %s, serves %s", p.Name, short(p.SHA256), strings.Join(p.Hooks, ", ")), p)
}

func (s *story) browser(executable string, took time.Duration) {
	s.tell("browser", fmt.Sprintf("%s, supervised after %v", executable, took.Round(time.Millisecond)),
		map[string]any{"executable": executable, "started_in_ns": took})
}

func (s *story) title(text string) {
	s.steps++
	if s.json {
		s.tell("step", text, text)
		return
	}
	fmt.Fprintf(s.out, "\n%d  %s\n", s.steps, text)
}

func (s *story) opened(d host.Dialog) {
	text := fmt.Sprintf("%s, %s from the %s: %q", d.ID, d.Type, where(d), d.Message)
	if d.Type == "prompt" {
		text += fmt.Sprintf(", default %q", d.DefaultPrompt)
	}
	s.tell("saw", text, d)
	p := d.DecidedBy
	if p.Fault != "" {
		s.note("fallback", p.Fault)
	}
	s.tell("decided", fmt.Sprintf("%s by %s in %v", d.Action, decider(p), p.Duration.Round(time.Microsecond)), p)
}

// decider names a module, its hash, and its own word for what decided, which may be empty.
func decider(p host.Provenance) string {
	text := fmt.Sprintf("%s (sha256 %s)", p.Module, short(p.SHA256))
	if p.Rule != "" {
		text += fmt.Sprintf(", rule %q,", p.Rule)
	}
	return text
}

func where(d host.Dialog) string {
	place := map[host.FrameKind]string{host.FrameTop: "top frame", host.FrameLocal: "same-process frame", host.FrameOOPIF: "out-of-process iframe"}[d.FrameKind]
	if d.Popup {
		place += " of a popup"
	}
	return place + " at " + d.URL
}

func (s *story) agent(r host.DialogResponse) {
	text := "dismisses it"
	if r.Accept {
		text = "accepts it"
	}
	if r.PromptText != nil {
		text += fmt.Sprintf(" with %q", *r.PromptText)
	}
	s.note("agent", text)
}

func (s *story) closed(d host.Dialog) {
	s.tell("closed", fmt.Sprintf("by %s, %v after it opened", d.ClosedBy, d.ClosedAt.Sub(d.OpenedAt.Time).Round(100*time.Microsecond)), d)
}

func (s *story) pageGot(value string) { s.note("page got", value) }

func (s *story) tree(t *host.FrameTree) {
	s.tell("decided", fmt.Sprintf("the frame tree of revision %d, by %s", t.Revision, decider(t.DecidedBy)), t)
	if s.json {
		return
	}
	depth := map[string]int{t.Top.FrameID: 0}
	s.frame(t.Top, 0)
	for _, f := range t.Children {
		depth[f.FrameID] = depth[f.ParentFrameID] + 1
		s.frame(f, depth[f.FrameID])
	}
}

func (s *story) frame(f host.Frame, depth int) {
	kind := "same process"
	if f.IsOOPIF {
		kind = "OOPIF"
	}
	if depth == 0 {
		kind = "top"
	}
	if f.Name != "" {
		kind += ", named " + strconv.Quote(f.Name)
	}
	fmt.Fprintf(s.out, "   %-10s %s%s [%s]\n", "", strings.Repeat("  ", depth), f.URL, kind)
}

func (s *story) target(t host.Target) {
	text := fmt.Sprintf("%s %s", t.Type, t.URL)
	if t.OpenerID != "" {
		text += ", opened by another page of the task"
	}
	s.tell("target", text, t)
}

func (s *story) ended() {
	if s.json {
		s.tell("ended", "", "the browser and all its processes have ended")
		return
	}
	fmt.Fprint(s.out, "\nAll dialogs were seen, decided and answered; the browser and all its processes have ended.\n")
}

func short(hash string) string { return hash[:min(len(hash), 8)] }
