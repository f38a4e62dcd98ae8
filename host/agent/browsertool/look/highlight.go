package look

import (
	"context"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/agent/browsertool/toolkit"
	"github.com/hermes-cdp/hermes-cdp/host/agent/internal/result"
)

// HighlightParams are the parameters of browser_highlight.
type HighlightParams struct {
	toolkit.Target
	// Refs are more elements of the same tab.
	Refs []string `json:"refs,omitempty" doc:"more elements of the tab"`
	// Clear ends what was highlighted in the tab.
	Clear bool `json:"clear,omitempty" doc:"end it"`
	toolkit.Timeout
}

// HighlightResult is the result of browser_highlight.
type HighlightResult struct {
	// Highlighted is how many elements have a line around them now.
	Highlighted int `json:"highlighted"`
}

// Highlight draws a line around elements, in place of what was highlighted in the tab before. Errors are those of
// [host.Tab.Highlight].
func (k *Kit) Highlight(ctx context.Context, p HighlightParams) (HighlightResult, error) {
	ctx, cancel := k.Within(ctx, p.Timeout)
	defer cancel()
	if p.Target.Empty() && len(p.Refs) > 0 {
		p.Ref, p.Refs = p.Refs[0], p.Refs[1:]
	}
	switch none := p.Target.Empty(); {
	case p.Clear && !none:
		return HighlightResult{}, result.BadArgument("clear", "it takes no element; all lines of the tab are ended")
	case !p.Clear && none:
		return HighlightResult{}, result.BadArgument("ref", "an element is required: ref, refs, selector, text, or role with name; or clear")
	}
	tab, at, err := k.Locator(ctx, p.Target)
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
	return toolkit.Then(ctx, k.Kit, toolkit.Nothing{}, err, func(context.Context, toolkit.Nothing) (HighlightResult, error) {
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
