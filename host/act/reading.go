package act

import (
	"fmt"
	"regexp"
	"strings"
	"time"

	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/host/internal/page"
	"github.com/hermes-cdp/hermes-cdp/host/view"
)

// The budgets of a reading, in characters.
const (
	// DefaultReadBudget is the budget of a reading that names none.
	DefaultReadBudget = 8000
	// DefaultFullBudget is the budget of a full reading that names none.
	DefaultFullBudget = 40000
	// MinReadBudget is the smallest budget.
	MinReadBudget = 1000
	// MaxReadBudget is the largest budget.
	MaxReadBudget = 1_000_000
)

// ReadOptions says what of a page is read. The zero value reads all of it.
type ReadOptions struct {
	// Full adds the URLs of links and long texts, and gives everything in document order instead of the most important
	// first.
	Full bool
	// Scope is a ref: only what is below its element is read.
	Scope string
	// Selector is a CSS selector: only what is below its first match is read, which is awaited. See [Locator].
	Selector string
	// Since is the token of an earlier reading of the tab: only what has changed since then is given.
	Since string
	// Find limits the text to what is found, in document order, with what stands around it; nil: everything.
	Find *Find
	// Budget is how many characters the text may have; 0: DefaultReadBudget, or DefaultFullBudget with Full.
	Budget int
	// Page is the page of the result; 0 is the first, with what matters most, and the later ones have the rest. Later
	// pages continue the last reading of the tab for up to 30 s, unless the task did something since or a document was
	// replaced: then the page is read again.
	Page int
	// AwaitContent is how long a page that shows nothing yet, and has scripts which may change that, is given to do so.
	AwaitContent time.Duration
}

// Find says which elements and texts of all frames to look for. All of its conditions hold, and at least one is needed.
type Find struct {
	// Text is in the name, the value or the text of the element, whatever its case.
	Text string
	// Pattern is a regular expression (https://pkg.go.dev/regexp/syntax) for the same.
	Pattern string
	// Role is the role as readings write it.
	Role string
	// Name is a part of the element's name, whatever its case.
	Name string
	// Context is how many elements and texts before and after each one that is found are given as well.
	Context int
}

// match compiles the pattern. The error is [fault.ErrBadArguments].
func (f *Find) match() (*page.Match, error) {
	m := &page.Match{Text: f.Text, Role: strings.ToLower(f.Role), Name: f.Name, Context: f.Context}
	if *f == (Find{Context: f.Context}) {
		return nil, fmt.Errorf("%w: there is nothing to look for; give a text, a pattern, a role or a name", fault.ErrBadArguments)
	}
	if f.Context < 0 {
		return nil, fmt.Errorf("%w: context is %d; it cannot be less than 0", fault.ErrBadArguments, f.Context)
	}
	if f.Pattern == "" {
		return m, nil
	}
	var err error
	if m.Pattern, err = regexp.Compile(f.Pattern); err != nil {
		return nil, fmt.Errorf("%w: pattern: %w; see https://pkg.go.dev/regexp/syntax", fault.ErrBadArguments, err)
	}
	return m, nil
}

// Reading is a page as assistive technology sees it. Text, URL, Title, Frames and the dialogs hold what the page
// chose: it is untrusted and quoted, with control and bidirectional characters made visible.
type Reading struct {
	// Text has a line for each element, indented below its parent: - button "Save" [disabled] @e5.
	Text string
	// Elements is how many elements the page has in all frames; Refs is how many elements of the part that was asked for
	// can be acted on, on all pages of the text.
	Elements, Refs int
	// Found is how many elements and texts were found, on all pages of the text.
	Found int
	// Token identifies the reading for Since of a later one.
	Token string
	// Changed says, for a reading with Since, that anything has changed.
	Changed bool
	// Page is which page this is, and Pages how many there are.
	Page, Pages int
	// Omitted says what was left out and how to get it, a sentence each.
	Omitted []string
	// Stale says that this is what was last known, at ReadAt, because a dialog holds the page or it does not answer.
	Stale bool
	// ReadAt is when the page was read.
	ReadAt view.UnixTime
	// Untrusted is always true: the text comes from the page.
	Untrusted bool
	// TargetID is the tab that was read.
	TargetID string
	// Origin is the top document's.
	Origin string
	// URL and Title are the tab's.
	URL, Title string
	// Frames has a note for each frame that could not be read.
	Frames []FrameNote
	// FrameTree is the tree of frames, filtered as in [view.Target]; nil until it is known.
	FrameTree *view.FrameTree
	// PendingDialogs and RecentDialogs are those of the task.
	PendingDialogs, RecentDialogs []view.Dialog
}

// FrameNote says what is wrong with a frame.
type FrameNote struct {
	FrameID string `json:"frame_id"`
	URL     string `json:"url"` // untrusted
	// State is unresponsive, loading, unreadable, or says by what the frame was filtered.
	State string `json:"state"`
	// Filtered says that the operator's frame filter took the frame from agents.
	Filtered bool `json:"filtered,omitempty"`
}

// ElementRef is where the element of a ref is.
type ElementRef struct {
	// Ref is the ref: e5.
	Ref string
	// TargetID is the tab.
	TargetID string
	// Frame is the id of the element's frame.
	Frame string
	// Session is the session that shows the frame.
	Session string
	// BackendNodeID is the DOM domain's backendNodeId; it is only unique in the frame's process.
	BackendNodeID int64
	// Role and Name are those of the last reading. The name is untrusted.
	Role, Name string
}

// StaleRefError says that the element of a ref is gone. It is [fault.ErrStaleRef].
type StaleRefError struct {
	// Ref is the ref that was used.
	Ref string
	// Role and Name are what the element was.
	Role, Name string
	// Reason says why it is gone.
	Reason string
	// Candidates are the elements of the last reading that resemble it most, the most similar first.
	Candidates []ElementRef
}

// Error names the element and what may have taken its place.
func (e *StaleRefError) Error() string {
	text := fmt.Sprintf("%v: @%s was %s, and %s; read the page again", fault.ErrStaleRef, e.Ref, page.Describe(e.Role, e.Name), e.Reason)
	if len(e.Candidates) == 0 {
		return text
	}
	near := make([]string, len(e.Candidates))
	for i, c := range e.Candidates {
		near[i] = page.Describe(c.Role, c.Name) + " @" + c.Ref
	}
	return text + "; nearest now: " + strings.Join(near, ", ")
}

// Unwrap returns [fault.ErrStaleRef].
func (e *StaleRefError) Unwrap() error { return fault.ErrStaleRef }

// Image is an image of a page. Src and Alt are untrusted.
type Image struct {
	Src string `json:"src"`
	Alt string `json:"alt"`
	// Width and Height are the displayed size in CSS pixels; 0 for an image that is not displayed.
	Width  int `json:"width"`
	Height int `json:"height"`
}

// ScreenshotOptions says what a screenshot shows. The zero value captures the viewport.
type ScreenshotOptions struct {
	// FullPage captures the whole document, up to 16,384 pixels high.
	FullPage bool
	// Locator captures one element.
	Locator Locator
	// Annotate draws the boxes and numbers of the elements that have refs.
	Annotate bool
}

// Screenshot is a picture of a page.
type Screenshot struct {
	PNG []byte
	// Width and Height are in pixels.
	Width, Height int
	// Annotations are the boxes that were drawn, ordered by number.
	Annotations []Annotation
}

// Annotation is a box that was drawn. Its number is that of the ref: 5 for e5.
type Annotation struct {
	Ref    string `json:"ref"`
	Number int    `json:"number"`
	// Box is left, top, width and height in pixels of the picture.
	Box [4]int `json:"box"`
	// Role and Name are the element's; the name is untrusted.
	Role string `json:"role"`
	Name string `json:"name,omitempty"`
}
