package look

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/agent/browsertool/toolkit"
	"github.com/hermes-cdp/hermes-cdp/host/agent/internal/result"
	"github.com/hermes-cdp/hermes-cdp/internal/pagetext"
)

// GetParams are the parameters of browser_get.
type GetParams struct {
	toolkit.Target
	// What is said of the element.
	What string `json:"what" enum:"html,value,attribute,style,state,box" need:"yes"`
	// Property is the attribute, or the CSS property; the style without one has those that matter most.
	Property string `json:"property,omitempty" doc:"attribute or CSS property"`
	// MaxChars is where a text is cut. By default a long one is kept in a file, or else cut at 20,000.
	MaxChars int `json:"max_chars,omitempty" min:"1" max:"1000000"`
	toolkit.Timeout
}

// GetResult is the result of browser_get.
type GetResult struct {
	// Element is the role and the name of the element.
	Element string `json:"element"`
	// Value is its HTML, its value or an attribute; null if it has no value or no such attribute.
	Value *string `json:"value"`
	// Chars is how long that is, if it was cut, and Path the file that has all of it, unless max_chars was given.
	Chars int               `json:"chars,omitempty"`
	Path  string            `json:"path,omitempty"`
	Style map[string]string `json:"style,omitempty"`
	// State says whether it is visible, enabled, editable, focused and, if it can be, checked.
	State map[string]bool `json:"state,omitempty"`
	// Box is in CSS pixels of the tab's viewport.
	Box       *ElementBox       `json:"box,omitempty"`
	Untrusted *result.Untrusted `json:"untrusted,omitempty" schema:"-"`
	what      string
}

// ElementBox is a rectangle of whole pixels.
type ElementBox struct {
	X      int  `json:"x"`
	Y      int  `json:"y"`
	Width  int  `json:"width"`
	Height int  `json:"height"`
	InView bool `json:"in_view"`
}

// Get says one thing of an element. Errors are those of [host.Tab.Inspect].
func (k *Kit) Get(ctx context.Context, p GetParams) (GetResult, error) {
	if p.What == "attribute" && p.Property == "" {
		return GetResult{}, result.BadArgument("property", "it names the attribute")
	}
	ctx, cancel := k.Within(ctx, p.Timeout)
	defer cancel()
	tab, at, err := k.Element(ctx, p.Target)
	if err != nil {
		return GetResult{}, err
	}
	limit := p.MaxChars
	if limit == 0 && k.Options.ScreenshotDir != "" {
		limit = toolkit.MaxResultFile
	}
	got, err := tab.Inspect(ctx, at, host.Inspected(p.What), &host.InspectOptions{Name: p.Property, MaxChars: limit})
	return toolkit.Then(ctx, k.Kit, got, err, func(_ context.Context, got host.Inspection) (GetResult, error) {
		out := GetResult{
			Element: got.Element, Value: got.Text, Style: got.Style, State: got.State, what: p.What,
			Untrusted: &result.Untrusted{Origin: got.Origin, Fields: []string{"element", "value", "style"}},
		}
		if got.Truncated {
			out.Chars = got.Chars
		}
		if p.MaxChars == 0 && got.Text != nil && len(*got.Text) > toolkit.MaxInline {
			path, err := k.KeepFile(".txt", []byte(*got.Text))
			if err != nil {
				return out, err
			}
			if path != "" {
				out.Value, out.Chars, out.Path = new(string), got.Chars, path
				*out.Value = pagetext.ShortenRunes(*got.Text, toolkit.KeptBeginning)
			}
		}
		if box := got.Box; box != nil {
			left, top := math.Round(box.X), math.Round(box.Y)
			out.Box = &ElementBox{int(left), int(top), int(math.Round(box.X+box.Width) - left), int(math.Round(box.Y+box.Height) - top), box.InView}
		}
		return out, nil
	})
}

// Text says what was asked.
func (r GetResult) Text() string {
	switch {
	case r.Box != nil:
		where := "in view"
		if !r.Box.InView {
			where = "out of view"
		}
		return fmt.Sprintf("%s is at %d, %d and is %d by %d pixels large, %s", r.Element, r.Box.X, r.Box.Y, r.Box.Width, r.Box.Height, where)
	case r.what == "box":
		return r.Element + " is not drawn"
	case r.State != nil:
		var is []string
		for _, name := range slices.Sorted(maps.Keys(r.State)) {
			if !r.State[name] {
				name = "not " + name
			}
			is = append(is, name)
		}
		return r.Element + " is " + strings.Join(is, ", ")
	case r.Style != nil:
		lines := []string{"the style of " + r.Element + ":"}
		for _, name := range slices.Sorted(maps.Keys(r.Style)) {
			lines = append(lines, name+": "+result.Visible(r.Style[name]))
		}
		return strings.Join(lines, "\n")
	case r.Value == nil:
		return r.Element + " has no such " + r.what
	case r.Path != "":
		return fmt.Sprintf("the beginning of the %s of %s, which has %d characters and is in %s:\n%s", r.what, r.Element, r.Chars, r.Path, result.VisibleLines(*r.Value))
	case r.Chars > 0:
		return fmt.Sprintf("the %s of %s, cut, as it has %d characters:\n%s", r.what, r.Element, r.Chars, result.VisibleLines(*r.Value))
	}
	return "the " + r.what + " of " + r.Element + ":\n" + result.VisibleLines(*r.Value)
}

// SaveParams are the parameters of browser_save.
type SaveParams struct {
	Format string `json:"format" enum:"pdf,mhtml" need:"yes" doc:"mhtml has frames and resources"`
	// Landscape and Background are about PDF.
	Landscape  bool `json:"landscape,omitempty"`
	Background bool `json:"background,omitempty" doc:"print backgrounds"`
	// Tab is a handle (t1) or a target id; empty: the tab in use.
	Tab string `json:"tab,omitempty"`
	toolkit.Timeout
}

// SaveResult is the result of browser_save.
type SaveResult struct {
	Path  string `json:"path"`
	Bytes int64  `json:"bytes"`
}

// Save keeps a page as a file, beside the pictures. Errors are those of [host.Tab.Save].
func (k *Kit) Save(ctx context.Context, p SaveParams) (SaveResult, error) {
	if k.Options.ScreenshotDir == "" {
		return SaveResult{}, result.BadArgument("format", "no directory for files is configured")
	}
	ctx, cancel := k.Within(ctx, p.Timeout)
	defer cancel()
	tab, err := k.OnPage(ctx, p.Tab)
	if err != nil {
		return SaveResult{}, err
	}
	var file bytes.Buffer
	n, err := k.Task.Tab(tab).Save(ctx, host.SaveFormat(p.Format), &file, &host.SaveOptions{Landscape: p.Landscape, Background: p.Background})
	return toolkit.Then(ctx, k.Kit, n, err, func(context.Context, int64) (SaveResult, error) {
		path, err := k.KeepFile("."+p.Format, file.Bytes())
		return SaveResult{path, int64(file.Len())}, err
	})
}

// Text says where the file is.
func (r SaveResult) Text() string {
	return fmt.Sprintf("saved %s in %s", result.Number(int(r.Bytes), "byte"), r.Path)
}
