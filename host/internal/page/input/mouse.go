package input

import (
	"fmt"

	cdproto "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/input"

	"github.com/hermes-cdp/hermes-cdp/host/internal/page"
	"github.com/hermes-cdp/hermes-cdp/host/internal/page/geometry"
)

// Button is a mouse button.
type Button = input.MouseButton

// Left is the primary button, Right the one that opens menus.
const (
	Left  = input.MouseButtonLeft
	Right = input.MouseButtonRight
)

// ParseButton returns the button with a name; empty is left. The error names what is allowed.
func ParseButton(name string) (Button, error) {
	switch b := Button(name); b {
	case "":
		return input.MouseButtonLeft, nil
	case input.MouseButtonLeft, input.MouseButtonMiddle, input.MouseButtonRight:
		return b, nil
	}
	return "", fmt.Errorf("there is no button %q: left, middle or right", name)
}

// buttonBits are the protocol's bits of buttons that are held down.
var buttonBits = map[Button]int64{input.MouseButtonLeft: 1, input.MouseButtonRight: 2, input.MouseButtonMiddle: 4}

// Mouse events go to the tab's own session in the coordinates of its viewport: the browser then finds the frame under
// the pointer, in any process, as it does for a person.

// Move moves the pointer.
func Move(d Actor, to geometry.Point) error { return move(d, to, input.MouseButtonNone) }

func move(d Actor, to geometry.Point, held Button) error {
	return d.Act("", input.CommandDispatchMouseEvent, moved(to, held), nil)
}

func moved(to geometry.Point, held Button) *input.DispatchMouseEventParams {
	return &input.DispatchMouseEventParams{
		Type: input.DispatchMouseEventTypeMouseMoved, X: to.X, Y: to.Y, Button: held, Buttons: buttonBits[held],
	}
}

// moveAtOnce moves the pointer without waiting for the page's next frame, up to which Chromium holds moves back to
// merge them: any other event makes it handle those before it. The character of a system key is one that no page
// hears of (WebFrameWidgetImpl::HandleCharEvent).
func moveAtOnce(d Actor, to geometry.Point) error {
	yes := true
	nothing := &input.DispatchKeyEventParams{Type: input.DispatchKeyEventTypeChar, IsSystemKey: &yes}
	return d.ActThen(input.CommandDispatchMouseEvent, moved(to, input.MouseButtonNone), input.CommandDispatchKeyEvent, nothing)
}

func press(d Actor, at geometry.Point, button Button, count, held int64) error {
	return d.Act("", input.CommandDispatchMouseEvent, &input.DispatchMouseEventParams{
		Type: input.DispatchMouseEventTypeMousePressed, X: at.X, Y: at.Y, Button: button, Buttons: buttonBits[button], ClickCount: count, Modifiers: held,
	}, nil)
}

func release(d Actor, at geometry.Point, button Button, count, held int64) error {
	return d.Act("", input.CommandDispatchMouseEvent, &input.DispatchMouseEventParams{
		Type: input.DispatchMouseEventTypeMouseReleased, X: at.X, Y: at.Y, Button: button, ClickCount: count, Modifiers: held,
	}, nil)
}

// wheel sends both deltas even if they are 0: the browser requires them.
type wheel struct {
	Type   input.DispatchMouseEventType `json:"type"`
	X      float64                      `json:"x"`
	Y      float64                      `json:"y"`
	DeltaX float64                      `json:"deltaX"`
	DeltaY float64                      `json:"deltaY"`
}

// scrolled waits until nothing in the document has scrolled for two frames, for at most a second.
const scrolled = `async () => {
	let moved = true;
	const note = () => { moved = true };
	document.addEventListener("scroll", note, {capture: true, passive: true});
	for (let quiet = 0, end = performance.now() + 1000; quiet < 2 && performance.now() < end; ) {
		moved = false;
		await frame();
		quiet = moved ? 0 : quiet + 1;
	}
	document.removeEventListener("scroll", note, {capture: true});
	return null;
}`

// Hover moves the pointer onto what is aimed at, from one pixel beside it: a pointer that is already there would not
// move. A tab that is not in front draws one frame a second, for which the moves do not wait.
func Hover(d Actor, aim *Aim) error {
	move := Move
	if aim.spot != nil && !aim.spot.isMultiProcess(d) {
		move = moveAtOnce
	}
	return aim.Deliver(d, func(at geometry.Point) error {
		if err := move(d, geometry.Point{X: at.X + 1, Y: at.Y}); err != nil {
			return err
		}
		return move(d, at)
	})
}

// turn turns the wheel over what is aimed at, and waits until the page is at rest.
func turn(d Actor, aim *Aim, dx, dy float64) error {
	return aim.Deliver(d, func(at geometry.Point) error {
		if err := Move(d, at); err != nil {
			return err
		}
		turn := &wheel{input.DispatchMouseEventTypeMouseWheel, at.X, at.Y, dx, dy}
		if err := d.Act("", input.CommandDispatchMouseEvent, turn, nil); err != nil {
			return err
		}
		return d.Run(aim.node.Frame, 0, scrolled, nil, nil)
	})
}

// Over aims at whatever is at a point of the tab's viewport.
func Over(d Actor, at geometry.Point, signs Signs) (*Aim, error) {
	frame := cdproto.FrameID(d.Target())
	if len(d.Frames()) > 1 {
		hit, err := innermost(d, at)
		if err != nil {
			return nil, err
		}
		frame = hit.Frame
	}
	return over(d, frame, at, signs, "the middle of the viewport")
}

func over(d Actor, frame cdproto.FrameID, at geometry.Point, signs Signs, name string) (*Aim, error) {
	aim := aimAt(page.Element{Frame: frame}, signs, true)
	aim.At, aim.name = at, name
	return aim, aim.listen(d)
}

// pressedWith is the element that a node is pressed with: the control that it is in, or labels, or that lies over all
// that is around it, or else the node's own.
const pressedWith = `n => {
	const e = n instanceof Element ? n : n.parentElement ?? n.getRootNode().host;
	const roles = ["button", "link", "menuitem", "menuitemcheckbox", "menuitemradio", "option", "tab", "treeitem", "checkbox", "radio", "switch",
		"combobox", "textbox", "searchbox", "slider", "spinbutton", "gridcell", "cell"];
	const controls = "a[href], button, input, select, textarea, summary, option, label, [contenteditable], " + roles.map(r => "[role=" + r + "]").join();
	let control = e;
	while (control && !ask(Element, "matches", control, controls)) control = above(control);
	return control?.localName === "label" && control.control || control || e && (` + stretched + `)(e) || e;
}`

// PressedWith returns the control that an element is a part of; any other element is itself.
func PressedWith(d Actor, n page.Element) (page.Element, error) {
	control, err := related(d, n, pressedWith)
	control.Frame = n.Frame
	return control, err
}

// AtPoint aims at whatever is at a point of the tab's viewport, and also returns its name.
func AtPoint(d Actor, at geometry.Point, signs Signs) (aim *Aim, name string, err error) {
	hit, err := innermost(d, at)
	if err != nil {
		return nil, "", err
	}
	control, err := PressedWith(d, hit)
	if err != nil {
		return nil, "", err
	}
	if name, err = nameAtPoint(d, control); err != nil {
		return nil, "", err
	}
	aim, err = over(d, hit.Frame, at, signs, name)
	return aim, name, err
}

// nameAtPoint is the role and the name of an element; of one without a name, its selector.
func nameAtPoint(d Actor, n page.Element) (string, error) {
	role, name, err := page.RoleAndName(d, n)
	if err != nil || name != "" {
		return page.Describe(role, name), err
	}
	return page.NameWithSelector(d, n)
}

// DragTo is [Drag] from what is aimed at to whatever is at another point of the tab's viewport.
func DragTo(d Actor, from *Aim, to geometry.Point) (note string, err error) {
	hit, err := innermost(d, to)
	if err != nil {
		return "", err
	}
	return Drag(d, from, page.Element{Frame: hit.Frame}, to)
}
