package act

import (
	"context"
	"strings"
	"time"

	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/host/internal/page"
	"github.com/hermes-cdp/hermes-cdp/host/internal/page/input"
	"github.com/hermes-cdp/hermes-cdp/host/internal/page/query"
	"github.com/hermes-cdp/hermes-cdp/internal/optional"
)

// Select selects options of a select by their values or labels; the result has the values that are then selected. In a
// list of the page's own, which it opens, it presses the options; the result has what was asked for. Errors: as
// [Tab.Click], and [*OptionError].
func (t Tab) Select(ctx context.Context, l Locator, values []string, options *ActionOptions) (_ ActionResult, err error) {
	defer fault.During("select", &err)
	o := optional.Or(options)
	return t.act(ctx, "select", l, o, func(a *action) error {
		a.labelled = input.Lists
		var own page.Element
		err := a.onElement(l, func(n page.Element) (err error) {
			if n, err = a.listOf(n); err != nil {
				return err
			}
			if !o.Force {
				if err := input.UsableList(a.d, n); err != nil {
					return err
				}
			}
			if is, err := input.IsOwnList(a.d, n); err != nil || is {
				own = n
				return err
			}
			a.d.op.ActsByScript()
			if err := input.Focus(a.d, n); err != nil {
				return err
			}
			a.out.Selected, err = input.Select(a.d, n, values)
			return err
		})
		if err != nil || own == (page.Element{}) {
			return err
		}
		return a.selectFromOwn(own, values, o.Force)
	})
}

// selectFromOwn presses options of a list of the page's own. One that closes after the first, and does not say that it
// takes several, takes only that. A note has the labels of options that were named otherwise.
func (a *action) selectFromOwn(list page.Element, values []string, force bool) error {
	if len(values) == 0 {
		return &NotActionableError{Obstacle: ObstacleUnfit, Element: a.out.Element, By: "a list of the page's own: name an option of it"}
	}
	var labels []string
	for i, value := range values {
		chosen, err := a.choose(list, value, force)
		if err != nil {
			return err
		}
		a.out.Selected = append(a.out.Selected, value)
		if !strings.EqualFold(chosen.Label, strings.Join(strings.Fields(value), " ")) {
			label, _ := page.Clip(chosen.Label, page.MaxDescribed)
			labels = append(labels, label)
		}
		if i == len(values)-1 {
			break
		}
		shown, err := a.settled(list)
		if err != nil {
			return err
		}
		if chosen.One && !shown.Open {
			by, _ := page.Clip(value, page.MaxDescribed)
			return &NotActionableError{Obstacle: ObstacleUnfit, Element: a.out.Element, By: "a list of one option, of which " + by + " is chosen now"}
		}
	}
	err := a.noteOpen(list)
	if len(labels) > 0 {
		a.note("that chose " + strings.Join(labels, ", "))
	}
	return err
}

// settled returns the state of a list, which may take a moment to close after a choice.
func (a *action) settled(list page.Element) (shown input.OwnList, err error) {
	_, err = a.until(openWait, func() (bool, error) {
		shown, err = input.StateOfOwn(a.d, list)
		return !shown.Closing, err
	})
	return shown, err
}

// listOf returns the select of an option, which is then the element of the result.
func (a *action) listOf(n page.Element) (page.Element, error) {
	list, err := input.ListOf(a.d, n)
	if err == nil && list != n {
		a.out.Element, err = page.Name(a.d, list)
	}
	return list, err
}

// How long a list of the page's own may take to open before it is opened in another way, and then to have an option.
const (
	openWait   = time.Second
	optionWait = 2 * time.Second
)

// choose presses an option of a list of the page's own, which it opens, and returns what it said of itself before. In a
// list that says that it takes several, an option that is chosen is left so. An option is pressed once more if it says
// that nothing came of it, as when the page drew it again between the press and the release.
func (a *action) choose(list page.Element, value string, force bool) (before input.Chosen, err error) {
	for again := true; ; again = false {
		aim, before, err := a.readyOption(list, value, force)
		// Pages draw their options again as the list opens.
		for end := time.Now().Add(a.d.ReadyLimit()); input.WasReplaced(err) && time.Now().Before(end); {
			aim, before, err = a.readyOption(list, value, force)
		}
		if err != nil || aim == nil {
			return before, err
		}
		aim.Again = func() (page.Element, error) { return a.optionOf(list, value, force) }
		if err := a.click(aim, input.Left, 1, nil); err != nil {
			return before, err
		}
		is, err := a.isChosen(list, value)
		if err != nil || is {
			return before, err
		}
		if !again || !before.One && !before.Told {
			a.out.Note = "the option was pressed, and neither it nor the list says that it is chosen"
			return before, nil
		}
	}
}

// readyOption aims at an option of a list; at none if it is one of several that are chosen.
func (a *action) readyOption(list page.Element, value string, force bool) (aim *input.Aim, before input.Chosen, err error) {
	option, err := a.optionOf(list, value, force)
	if err != nil {
		return nil, before, err
	}
	if before, err = input.ChosenOfOwn(a.d, option); err != nil || before.Is && !before.One {
		return nil, before, err
	}
	aim, err = input.Ready(a.d, option, force, input.Pressed)
	return aim, before, err
}

// optionOf returns an option of a list, which it opens. The error is an [*OptionError] if the list has others only.
func (a *action) optionOf(list page.Element, value string, force bool) (option page.Element, err error) {
	var shown input.OwnList
	for _, open := range []func(page.Element, bool) error{a.pressOpener, a.keyOpener("Alt+ArrowDown"), a.keyOpener("ArrowDown")} {
		if shown, err = input.StateOfOwn(a.d, list); err != nil {
			return page.Element{}, err
		}
		if shown.Open {
			break
		}
		if err := open(list, force); err != nil {
			return page.Element{}, err
		}
		if _, err := a.until(openWait, func() (bool, error) {
			shown, err = input.StateOfOwn(a.d, list)
			return shown.Open, err
		}); err != nil {
			return page.Element{}, err
		}
	}
	found, err := a.until(optionWait, func() (bool, error) {
		option, err = input.OptionOfOwn(a.d, list, value)
		return option != page.Element{}, err
	})
	if err != nil || found {
		return option, err
	}
	if shown, err = input.StateOfOwn(a.d, list); err != nil {
		return page.Element{}, err
	}
	if len(shown.Labels) == 0 {
		return page.Element{}, &NotActionableError{Obstacle: ObstacleUnfit, Element: a.out.Element, By: "a list of the page's own that shows no options when it is clicked: click it, and read the page again"}
	}
	return page.Element{}, &OptionError{Missing: []string{value}, Options: shown.Labels}
}

// pressOpener presses what opens a list.
func (a *action) pressOpener(list page.Element, force bool) error {
	opener, err := input.OpenerOfOwn(a.d, list)
	if err != nil {
		return err
	}
	aim, err := input.Ready(a.d, opener, force, input.Pressed)
	if err != nil {
		return err
	}
	return a.click(aim, input.Left, 1, nil)
}

// keyOpener opens a list by a key for that: one that opens when its field gets the focus may close when it is pressed,
// or stay closed. Without Alt, the key may choose the next option instead.
// https://www.w3.org/WAI/ARIA/apg/patterns/combobox/#keyboardinteraction
func (a *action) keyOpener(key string) func(list page.Element, force bool) error {
	return func(list page.Element, _ bool) error {
		opener, err := input.OpenerOfOwn(a.d, list)
		if err != nil {
			return err
		}
		chord, err := input.ParseChord(key)
		if err == nil {
			_, err = input.PressOn(a.d, opener, chord)
		}
		return err
	}
}

// isChosen reports whether an option says that it is chosen, or its list has closed, as one of a single choice does.
// Not all pages say either.
func (a *action) isChosen(list page.Element, value string) (bool, error) {
	return a.until(checkedWithin, func() (bool, error) {
		if a.isNavigating() {
			return true, nil
		}
		option, err := input.OptionOfOwn(a.d, list, value) // which the page may have drawn again
		if a.d.Gone(err) || err == nil && option == (page.Element{}) {
			return true, nil
		}
		if err != nil {
			return false, err
		}
		now, err := input.ChosenOfOwn(a.d, option)
		if a.d.Gone(err) {
			return false, nil
		}
		return now.Is, err
	})
}

// noteOpen says that a list stays open, as one of several choices does.
func (a *action) noteOpen(list page.Element) error {
	if a.out.Note != "" || a.isNavigating() {
		return nil
	}
	shown, err := a.settled(list)
	if err == nil && shown.Open && a.opens(list) {
		a.out.Note = "its list is still open; a click beside it closes it"
	}
	if a.d.Gone(err) {
		err = nil
	}
	return err
}

// opens reports whether an element opens a list, and is none itself.
func (a *action) opens(list page.Element) bool {
	role, _, err := page.RoleAndName(a.d, list)
	return err == nil && role != "listbox"
}

// until is [query.Until] of a look that says nothing of frames.
func (a *action) until(limit time.Duration, look func() (bool, error)) (bool, error) {
	return query.Until(a.d, limit, func() (is bool, unresponsive, err error) {
		is, err = look()
		return is, nil, err
	})
}
