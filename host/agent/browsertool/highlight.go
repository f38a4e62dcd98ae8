package browsertool

import (
	"context"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/agent/internal/result"
)

// HighlightParams are the parameters of browser_highlight.
type HighlightParams struct {
	Target
	// Refs are more elements of the same tab.
	Refs []string `json:"refs,omitempty" doc:"more elements of the tab"`
	// Clear ends what was highlighted in the tab.
	Clear bool `json:"clear,omitempty" doc:"end it"`
	Timeout
}

// HighlightResult is the result of browser_highlight.
type HighlightResult struct {
	// Highlighted is how many elements have a line around them now.
	Highlighted int `json:"highlighted"`
}

// Highlight draws a line around elements, in place of what was highlighted in the tab before. Errors are those of
// [host.Tab.Highlight].
func (b *Browser) Highlight(ctx context.Context, p HighlightParams) (HighlightResult, error) {
	ctx, cancel := b.within(ctx, p.Timeout)
	defer cancel()
	if p.Target.empty() && len(p.Refs) > 0 {
		p.Ref, p.Refs = p.Refs[0], p.Refs[1:]
	}
	switch none := p.Target.empty(); {
	case p.Clear && !none:
		return HighlightResult{}, result.BadArgument("clear", "it takes no element; all lines of the tab are ended")
	case !p.Clear && none:
		return HighlightResult{}, result.BadArgument("ref", "an element is required: ref, refs, selector, text, or role with name; or clear")
	}
	tab, at, err := b.locator(ctx, p.Target)
	if err != nil {
		return HighlightResult{}, err
	}
	var elements []host.Locator
	if !p.Clear {
		elements = append(elements, at)
	}
	for _, ref := range p.Refs {
		elements = append(elements, host.ByRef(ref))
	}
	err = tab.Highlight(ctx, elements...)
	return then(ctx, b, nothing{}, err, func(context.Context, nothing) (HighlightResult, error) {
		return HighlightResult{len(elements)}, nil
	})
}

// Text says how many there are.
func (r HighlightResult) Text() string {
	if r.Highlighted == 0 {
		return "nothing is highlighted in the tab"
	}
	return result.Number(r.Highlighted, "element") + " highlighted; the next screenshot shows a pink line around each"
}
