package trace

import (
	"cmp"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html/template"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/hermes-cdp/hermes-cdp/internal/pagetext"
)

var (
	//go:embed trace.tmpl
	layout string
	//go:embed trace.css
	style string
	//go:embed trace.js
	script string

	file = template.Must(template.New("trace").Parse(layout))
)

// policy is the content security policy of a file: nothing is loaded, only its own style and script apply, and pictures
// are in the file.
func policy() string {
	hash := func(text string) string {
		sum := sha256.Sum256([]byte(text))
		return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
	}
	return "default-src 'none'; img-src data:; style-src " + hash(style) + "; script-src " + hash(script) + "; base-uri 'none'; form-action 'none'"
}

// About says what a file is of.
type About struct {
	Task  string
	Ended time.Time
	// Reason says why the trace ended, unless it was stopped.
	Reason string
}

// Write writes the trace as one HTML file.
func (t *Trace) Write(w io.Writer, about About) error {
	return file.Execute(w, t.sheet(about))
}

// The sheet is what the template shows; all texts in it are without secrets, and not yet escaped.
type (
	sheet struct {
		Policy   string
		Style    template.CSS
		Script   template.JS
		Title    string
		Facts    []fact
		Notes    []string
		Pictures []shownPicture
		Calls    []shownCall
	}
	fact         struct{ Name, Value string }
	shownPicture struct {
		ID            string
		Data          template.URL
		Width, Height int
	}
	shownCall struct {
		ID, Name, Brief, State, Tab, URL, URLAfter string
		Number                                     int
		At, Took                                   string
		// Left and Width are where the call is on the time line, of 1,000.
		Left, Width   int
		Arguments     string
		ResultName    string
		Result        string
		Before, After *shownImage
		NoPicture     string
		Unchanged     bool
		// DialogInstead says that a dialog is shown in place of the picture after the call.
		DialogInstead bool
		Steps         []shownStep
		Dialogs       []shownDialog
		Lines         []shownLine
		Requests      []shownRequest
		More          []string
	}
	shownImage struct {
		shownPicture
		About string
	}
	shownStep    struct{ Name, Element, Took, Error string }
	shownDialog  struct{ Type, Message, URL, Tab, Fate string }
	shownLine    struct{ Level, Type, Text, Source string }
	shownRequest struct{ Method, URL, Type, Status, Took, Size, State string }
)

func (t *Trace) sheet(about About) sheet {
	t.mu.Lock()
	defer t.mu.Unlock()
	list := t.calls
	if t.prelude.lines != nil || t.prelude.dialogs != nil || t.prelude.requests != nil {
		list = append([]*call{t.prelude}, list...)
	}
	p := printer{scrub: newScrubber(t.allSecrets()), began: t.began, whole: max(about.Ended.Sub(t.began), time.Millisecond), ids: map[*Picture]string{}}
	s := sheet{
		Policy: policy(), Style: template.CSS(style), Script: template.JS(script), Title: p.scrub.line(about.Task),
		Notes: t.notes(p.scrub, about),
	}
	requests, lines := 0, 0
	for _, c := range list {
		s.Calls = append(s.Calls, p.call(c))
		requests, lines = requests+len(c.requests), lines+len(c.lines)
	}
	s.Pictures = p.pictures
	s.Facts = []fact{
		{"Began", t.began.UTC().Format("2 January 2006, 15:04:05 UTC")}, {"Lasted", span(about.Ended.Sub(t.began))},
		{"Calls", fmt.Sprint(t.numbered)}, {"Failed", fmt.Sprint(t.failed)}, {"Requests", fmt.Sprint(requests)}, {"Console lines", fmt.Sprint(lines)},
	}
	return s
}

func (t *Trace) allSecrets() []string {
	all := map[string]bool{}
	for text := range t.secrets {
		all[text] = true
	}
	for _, c := range t.calls {
		for _, text := range c.secrets() {
			all[text] = true
		}
	}
	var list []string
	for text := range all {
		list = append(list, text)
	}
	slices.Sort(list)
	return list
}

// notes say what is missing.
func (t *Trace) notes(s scrubber, about About) []string {
	var list []string
	if about.Reason != "" {
		list = append(list, "The trace was not stopped: "+s.line(about.Reason)+".")
	}
	if t.lost.calls > 0 {
		list = append(list, fmt.Sprintf("%s left out to keep the trace within its bounds: the oldest.", plural(t.lost.calls, "call was", "calls were")))
	}
	if t.lost.pictures > 0 {
		list = append(list, fmt.Sprintf("%s left out to keep the trace within its bounds: the oldest.", plural(t.lost.pictures, "picture was", "pictures were")))
	}
	return list
}

func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// printer makes what is shown of calls.
type printer struct {
	scrub    scrubber
	began    time.Time
	whole    time.Duration // of the trace
	ids      map[*Picture]string
	pictures []shownPicture // each once, however many calls show it
}

func (p *printer) call(c *call) shownCall {
	out := shownCall{
		ID: fmt.Sprintf("call-%d", c.number), Number: c.number, Name: p.scrub.line(c.Name), Tab: p.scrub.line(c.Tab), URL: p.scrub.url(c.URL),
		Before: p.image(c.before, "before"), After: p.image(c.after, "after"), NoPicture: p.scrub.line(c.end.NoPicture),
		Unchanged: c.before != nil && c.before == c.after,
	}
	if c.number == 0 {
		out.Name, out.State = "Before the first call", "prelude"
	} else {
		p.course(&out, c)
	}
	for _, s := range c.steps {
		if len(c.steps) == 1 { // the call says the same
			break
		}
		out.Steps = append(out.Steps, shownStep{p.scrub.line(s.Name), p.scrub.line(s.Element), span(s.Took), p.scrub.text(s.Error, maxShort)})
	}
	for _, d := range c.dialogs {
		out.Dialogs = append(out.Dialogs, shownDialog{p.scrub.line(d.Type), p.scrub.text(d.Message, maxShort), p.scrub.url(d.URL), p.scrub.line(d.Tab), p.fate(d)})
	}
	out.DialogInstead = c.end.NoPicture == DialogOpen && len(out.Dialogs) > 0
	for _, l := range c.lines {
		out.Lines = append(out.Lines, shownLine{
			level(l.Type), p.scrub.line(strings.TrimSpace(l.From + " " + l.Type)), p.scrub.text(l.Text, maxShort), p.scrub.url(l.Source),
		})
	}
	for _, r := range c.requests {
		out.Requests = append(out.Requests, p.request(r))
	}
	for _, left := range []struct {
		n    int
		what string
	}{{c.more.steps, "actions"}, {c.more.dialogs, "dialogs"}, {c.more.lines, "console lines"}, {c.more.requests, "requests"}} {
		if left.n > 0 {
			out.More = append(out.More, fmt.Sprintf("%d more %s", left.n, left.what))
		}
	}
	return out
}

// course says when the call was, and what came of it.
func (p *printer) course(out *shownCall, c *call) {
	out.At = "+" + span(c.began.Sub(p.began))
	out.Arguments = p.scrub.arguments(c.Arguments, c.secrets())
	out.Brief = brief(out.Arguments)
	out.State, out.ResultName = "running", "Result"
	if c.ended {
		out.State, out.Took = "succeeded", span(c.took)
		out.Result = p.scrub.text(c.end.Text, maxText)
		if after := p.scrub.url(c.end.URL); after != out.URL {
			out.URLAfter = after
		}
	}
	if c.end.Failed {
		out.State, out.ResultName = "failed", "Error"
	}
	const scale = 1000
	out.Left = min(int(scale*c.began.Sub(p.began)/p.whole), scale-4)
	out.Width = min(max(int(scale*c.took/p.whole), 4), scale-out.Left)
}

// image refers to a picture, which is in the file once.
func (p *printer) image(of *Picture, when string) *shownImage {
	if of == nil {
		return nil
	}
	if of.WebP == nil {
		return &shownImage{About: "The picture " + when + " the call was left out for newer ones."}
	}
	id, there := p.ids[of]
	if !there {
		id = fmt.Sprintf("picture-%d", len(p.pictures)+1)
		p.ids[of] = id
		p.pictures = append(p.pictures, shownPicture{
			id, template.URL("data:image/webp;base64," + base64.StdEncoding.EncodeToString(of.WebP)), of.Width, of.Height, //nolint:gosec // only base64
		})
	}
	return &shownImage{shownPicture{ID: id, Width: of.Width, Height: of.Height}, "The page " + when + " the call"}
}

// fate says how a dialog ended.
func (p *printer) fate(d *Dialog) string {
	switch {
	case d.ClosedBy == "":
		return "open"
	case d.Accepted && d.Text != "":
		return p.scrub.line("accepted with a text, by " + d.ClosedBy)
	case d.Accepted:
		return p.scrub.line("accepted, by " + d.ClosedBy)
	}
	return p.scrub.line("dismissed, by " + d.ClosedBy)
}

func (p *printer) request(r *Request) shownRequest {
	out := shownRequest{
		Method: p.scrub.line(r.Method), URL: p.scrub.url(r.URL), Type: p.scrub.line(r.Type), Took: span(r.Took), Size: size(r.Size),
	}
	switch {
	case r.Failure != "":
		out.Status, out.State = p.scrub.line(r.Failure), "failed"
	case r.Pending:
		out.Status, out.Took, out.Size = "pending", "", ""
	default:
		out.Status = fmt.Sprint(r.Status)
	}
	if r.Status >= 400 {
		out.State = "failed"
	}
	return out
}

// briefly are the arguments that say most about a call, the first that is there.
var briefly = []string{"url", "ref", "selector", "shows", "field_text", "expression", "question", "key", "direction", "method", "action", "text", "call_id"}

// brief is a call's most telling argument, for the list of calls.
func brief(arguments string) string {
	var given map[string]any
	if json.Unmarshal([]byte(arguments), &given) != nil {
		return ""
	}
	for _, name := range briefly {
		if text, ok := given[name].(string); ok && text != "" {
			return pagetext.Line(pagetext.ShortenRunes(text, 60))
		}
	}
	return ""
}

// level is what a console line is drawn as.
func level(kind string) string {
	return cmp.Or(map[string]string{"error": "error", "assert": "error", "exception": "error", "warning": "warning"}[kind], "plain")
}

// span is a duration as people write it.
func span(d time.Duration) string {
	switch {
	case d < 0:
		return "0 ms"
	case d < time.Second:
		return fmt.Sprintf("%d ms", d.Milliseconds())
	case d < time.Minute:
		return fmt.Sprintf("%.1f s", d.Seconds())
	}
	return fmt.Sprintf("%d min %d s", int(d.Minutes()), int(d.Seconds())%60)
}

func size(bytes int64) string {
	switch {
	case bytes < 1000:
		return fmt.Sprintf("%d B", bytes)
	case bytes < 1000*1000:
		return fmt.Sprintf("%.1f kB", float64(bytes)/1e3)
	}
	return fmt.Sprintf("%.1f MB", float64(bytes)/1e6)
}
