package act

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"
	"unicode"

	cdproto "github.com/chromedp/cdproto/cdp"

	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/host/internal/engine"
	"github.com/hermes-cdp/hermes-cdp/host/internal/page"
	"github.com/hermes-cdp/hermes-cdp/host/internal/page/input"
	"github.com/hermes-cdp/hermes-cdp/internal/optional"
	"github.com/hermes-cdp/hermes-cdp/internal/upload"
)

// Type clicks a field and types a text into it, key by key as on a US keyboard. Characters that such a keyboard does
// not have, such as emoji, are inserted as an input method does, and so is, as a whole, a text of more than 500 bytes.
// A line feed is the Enter key. Fields for dates, times, colours and ranges get their value as a whole. Errors: as
// [Tab.Click]. Without a locator the text goes to the field that has the focus, or in an editor to the caret.
func (t Tab) Type(ctx context.Context, l Locator, text string, options *TypeOptions) (_ ActionResult, err error) {
	defer fault.During("type", &err)
	o := optional.Or(options)
	tab, err := t.targetOf(l)
	if err != nil {
		return ActionResult{}, err
	}
	return t.pages.perform(ctx, tab, action{name: "type", typed: text}, l, o.ActionOptions, func(a *action) error {
		a.labelled = input.TextFields
		if l.isZero() {
			return a.typeFocused(text, o)
		}
		aim, err := a.ready(l, o.Force, input.Pressed)
		if err != nil {
			return err
		}
		field, err := a.field(aim.Target(), text, o.Clear)
		if err != nil {
			return err
		}
		a.d.op.ActsByScript()
		n, field, err := a.enterText(aim, field, text, o.Clear)
		if err != nil {
			return err
		}
		a.noteWritten(n, field, o)
		if o.Submit {
			return a.submit(n)
		}
		return nil
	})
}

// typeFocused is Type into what has the focus.
func (a *action) typeFocused(text string, o TypeOptions) error {
	n, err := input.Focused(a.d)
	if err != nil {
		return err
	}
	a.frame, a.d.inputFrame = n.Frame, n.Frame
	if err := a.interceptChooser(n.Frame); err != nil {
		return err
	}
	if a.out.Element, err = page.Name(a.d, n); err != nil {
		return err
	}
	field, err := a.field(n, text, o.Clear)
	if err != nil {
		return err
	}
	a.d.op.ActsByScript()
	switch {
	case field.Whole:
		err = input.Set(a.d, n, text)
	case field.Editor && o.Clear: // whoever has put the caret into a document means that place, and not all of it
		err = input.WriteFocused(a.d, n, text)
	default:
		err = input.FillFocused(a.d, n, field, text, o.Clear)
	}
	if err != nil {
		return err
	}
	a.noteWritten(n, field, o)
	if o.Submit {
		return a.submit(n)
	}
	return nil
}

// submit presses Enter for a field that has got its text.
func (a *action) submit(n page.Element) error {
	at, err := input.Submitter(a.d, n)
	if a.d.Gone(err) { // as when the last digit of a code was all that the page waited for
		a.note("Enter was not pressed, because the page took the field away as soon as it had the text")
		return nil
	}
	if err != nil {
		return err
	}
	listed, err := input.PressEnter(a.d, at)
	if listed {
		a.note(listedNote)
	}
	return err
}

// noteWritten notes which field was filled, if it can be said afterwards whether it kept the text. What is no field may
// have given the text to one that has the focus since.
func (a *action) noteWritten(n page.Element, field input.Field, o TypeOptions) {
	if field.Keys {
		if now, err := input.Focused(a.d); err == nil && now == n {
			a.note("it is not a text field: the page got the keys, but may have ignored them")
		}
		return
	}
	if o.Clear && !o.Submit && !field.Secret && !field.Drawn {
		a.wrote = &n
	}
}

// keptLimit is how much of the content of a field a note quotes, in characters, and keptWait how long the page has to
// tell it.
const (
	keptLimit = 200
	keptWait  = time.Second
)

// noteKept says what the field has, if the page did not leave the text as it was typed: it has a mask, a limit or a
// format of its own. An error is no reason to fail, for the text was typed.
func (a *action) noteKept() {
	if a.wrote == nil || a.out.TabClosed || a.out.Navigated != "" || a.isNavigating() {
		return
	}
	has, differs, err := a.kept(*a.wrote, a.typed)
	switch {
	case err != nil || !differs:
	case has == "":
		a.out.Note = "the field is empty now"
	default:
		quoted, _ := page.Clip(has, keptLimit)
		a.out.Note = "the field now has " + quoted
	}
}

// field returns what the element takes, notes whether that is a secret, and checks that it takes a text.
func (a *action) field(n page.Element, text string, clear bool) (input.Field, error) {
	field, err := input.Writable(a.d, n)
	a.out.Secret = field.Secret
	if err == nil {
		err = field.Fits(a.d, n, text, clear)
	}
	return field, err
}

// enterText enters a text into a field, and returns the field that has got it.
func (a *action) enterText(aim *input.Aim, field input.Field, text string, erase bool) (page.Element, input.Field, error) {
	n := aim.Target()
	if field.Whole {
		if err := input.Focus(a.d, n); err != nil {
			return n, field, err
		}
		return n, field, input.Set(a.d, n, text)
	}
	if err := a.click(aim, input.Left, 1, nil); err != nil {
		return n, field, err
	}
	now, err := input.Swapped(a.d, n)
	switch {
	case err != nil:
		return n, field, err
	case now == n:
		err = input.Fill(a.d, aim, field, text, erase)
	default: // the result names the one that gets the text
		if a.out.Element, err = page.Name(a.d, now); err != nil {
			return now, field, err
		}
		secret := field.Secret
		if field, err = a.field(now, text, erase); err == nil {
			field.Secret = field.Secret || secret
			a.out.Secret = field.Secret
			err = input.FillFocused(a.d, now, field, text, erase)
		}
	}
	if err != nil || !erase {
		return now, field, err
	}
	return now, field, a.mendText(now, field, text)
}

// mendText enters a text once more that a field got in another order, or not all of. Pages put the caret elsewhere a
// moment after a field has got the focus, and people begin to type later; and a mask that has a part of the text of its
// own (+7) may know it only in a text that comes as a whole, as from the clipboard. If that does not help either, the
// field has what it makes of the keys.
func (a *action) mendText(n page.Element, field input.Field, text string) error {
	if a.keepsOld(n, field, text) {
		field.Drawn = true // what it has can be selected by keys
		return input.FillFocused(a.d, n, field, text, true)
	}
	retype := func() error { return input.FillFocused(a.d, n, field, text, true) }
	insert := func() error { return input.InsertFocused(a.d, n, text) }
	tries := []func() error{retype}
	if strings.ContainsFunc(text, func(r rune) bool { return unicode.IsPunct(r) || unicode.IsSymbol(r) }) {
		tries = append(tries, insert, retype)
	}
	for _, try := range tries {
		if !a.isJumbled(n, field, text) {
			break
		}
		// What the page has deferred to its next frame would move the caret once more.
		if err := page.AwaitDrawn(a.d, n.Frame); err != nil {
			return err
		}
		if err := try(); err != nil {
			return err
		}
	}
	return nil
}

// keepsOld reports whether an editor has got a text beside all that it was to replace.
func (a *action) keepsOld(n page.Element, field input.Field, text string) bool {
	if !field.Editor || field.Drawn {
		return false
	}
	d := *a.d
	d.limit = keptWait
	keeps, err := input.KeepsOld(&d, n, text)
	return err == nil && keeps
}

// isJumbled reports whether the letters and digits in a field are neither those of a text, or their beginning, nor have
// them among others. An error is that of what follows.
func (a *action) isJumbled(n page.Element, field input.Field, text string) bool {
	if field.Drawn || strings.Contains(text, "\n") {
		return false
	}
	has, differs, err := a.kept(n, text)
	is, was := lettersOf(has), lettersOf(text)
	return err == nil && differs && !strings.HasPrefix(was, is) && !strings.Contains(is, was)
}

// lettersOf are the letters and digits of a text, without upper and lower case: what a format leaves.
func lettersOf(text string) string {
	return strings.ToLower(strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return r
		}
		return -1
	}, text))
}

// kept is [input.Kept] of a page that may have a moment for the answer.
func (a *action) kept(n page.Element, text string) (has string, differs bool, err error) {
	d := *a.d
	d.limit = keptWait
	return input.Kept(&d, n, text)
}

// Press presses a key, with modifiers before it: Enter, a, Control+A, Shift+Tab. Errors: as [Tab.Click];
// ErrBadArguments names the keys, and refuses those that the browser keeps for itself, such as Control+T.
func (t Tab) Press(ctx context.Context, key string, options *PressOptions) (_ ActionResult, err error) {
	defer fault.During("press", &err)
	o := optional.Or(options)
	chord, err := input.ParseChord(key)
	if err != nil {
		return ActionResult{}, actError(err)
	}
	if does := chord.Reserved(); does != "" {
		return ActionResult{}, fmt.Errorf("%w: the key %q never reaches a page, because the browser itself %s on it; open, focus or close tabs directly",
			fault.ErrBadArguments, key, does)
	}
	return t.act(ctx, "press", o.Locator, o.ActionOptions, func(a *action) (err error) {
		var listed bool
		if o.Locator.isZero() {
			listed, err = input.PressFocused(a.d, chord)
		} else {
			a.d.op.ActsByScript()
			err = a.onElement(o.Locator, func(n page.Element) (err error) {
				listed, err = input.PressOn(a.d, n, chord)
				return err
			})
		}
		if listed {
			a.out.Note = listedNote
		}
		return err
	})
}

// listedNote says in words where a key went.
const listedNote = "the browser's own list of suggestions for the field received the key, and not the page: arrows choose a suggestion, Enter " +
	"takes it, Escape closes the list"

// Upload gives files, by their paths on the browser's machine, to a file input, its label, or an element that opens a
// file chooser when it is clicked; on an element that opens none they are dropped. A field for directories takes the
// path of one, alone, and gets all files below it, at most 1,000. Errors: as [Tab.Click]; ErrBadArguments for a path
// that is not a regular file, and for a directory that has anything but files and directories, or none; ErrRefused for
// what the operator does not allow (Options.UploadRoots and Options.Private of package host).
func (t Tab) Upload(ctx context.Context, l Locator, paths []string, options *ActionOptions) (_ ActionResult, err error) {
	defer fault.During("upload", &err)
	o := optional.Or(options)
	given, err := t.pages.Uploads().Take(paths)
	if err != nil {
		return ActionResult{}, PathError(err)
	}
	return t.act(ctx, "upload", l, o, func(a *action) error {
		n, err := a.find(l)
		if err != nil {
			return err
		}
		if err := a.mayGet(n.Frame, given.Files); err != nil {
			return err
		}
		field, err := input.FileInput(a.d, n, given)
		if err != nil {
			return err
		}
		if field == (page.Element{}) {
			if field, err = a.openChooser(n, o.Force, given); err != nil {
				return err
			}
			if field == (page.Element{}) {
				return a.drop(n, given)
			}
			if field.Frame != n.Frame {
				if err := a.mayGet(field.Frame, given.Files); err != nil {
					return err
				}
			}
		}
		if given.Directory {
			a.out.Given, err = input.SetDirectory(a.d, field, given.Paths[0])
			return err
		}
		a.out.Given = len(given.Files)
		return input.SetFiles(a.d, field, given.Paths)
	})
}

// mayGet asks the plugins whether the document of a frame may get files.
func (a *action) mayGet(frame cdproto.FrameID, files []string) error {
	to := engine.Receiver{TargetID: string(a.d.tab), URL: a.d.url(frame), Origin: a.d.origin(frame), TopOrigin: a.d.origin("")}
	return a.pages.AskUpload(a.d.op.Context(), to, files)
}

// drop drops files on an element.
func (a *action) drop(n page.Element, given upload.Given) error {
	refused := &NotActionableError{Obstacle: ObstacleUnfit, Element: a.out.Element, By: "not a file input, a click on it opened no file chooser, and it takes no dropped files"}
	if given.Directory {
		refused.By = "not a file input, and a click on it opened no file chooser; a directory cannot be dropped"
	}
	if a.isNavigating() || given.Directory {
		return refused
	}
	a.d.op.ActsByScript()
	taken, err := input.DropFiles(a.d, n, given.Paths)
	if err == nil && !taken {
		return refused
	}
	a.out.Dropped, a.out.Given = taken, len(given.Files)
	return err
}

// openChooser clicks an element that opens a file chooser, and returns the input that the chooser is for; zero if it
// opens none.
func (a *action) openChooser(n page.Element, force bool, given upload.Given) (page.Element, error) {
	aim, err := input.Ready(a.d, n, force, input.Pressed)
	if err != nil {
		return page.Element{}, err
	}
	if err := a.click(aim, input.Left, 1, nil); err != nil {
		return page.Element{}, err
	}
	var opened struct {
		Frame cdproto.FrameID       `json:"frameId"`
		Node  cdproto.BackendNodeID `json:"backendNodeId"`
	}
	if _, err := a.awaitHandlers(n.Frame); err != nil {
		return page.Element{}, err
	}
	event := a.d.LatestEvent(engine.EventChooser)
	if event == nil {
		return page.Element{}, nil
	}
	if err := json.Unmarshal(event, &opened); err != nil {
		return page.Element{}, fmt.Errorf("the browser's event about the file chooser cannot be decoded: %w", err)
	}
	a.d.watch.drop(engine.EventChooser)
	return input.FileInput(a.d, page.Element{Frame: opened.Frame, ID: opened.Node}, given)
}
