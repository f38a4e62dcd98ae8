package input

import (
	"fmt"

	"github.com/chromedp/cdproto/dom"

	"github.com/hermes-cdp/hermes-cdp/host/internal/page"
)

// takesFiles returns how many files an input, or that of a label, takes: 0 for none, 1, or 2 for any number.
const takesFiles = `(e) => {
	if (e.localName === "label" && e.control) e = e.control;
	return e.localName !== "input" || e.type !== "file" ? 0 : e.multiple ? 2 : 1;
}`

// FileInput returns the file input, often hidden, that belongs to an element; zero if the element is something else,
// such as a button that opens a file chooser.
func FileInput(d Actor, n page.Element, files int) (page.Element, error) {
	var takes int
	if err := d.Run(n.Frame, n.ID, takesFiles, nil, &takes); err != nil || takes == 0 {
		return page.Element{}, err
	}
	if takes == 1 && files > 1 {
		return page.Element{}, unfitError(d, n, fmt.Sprintf("a field for one file, not for %d", files))
	}
	input := page.Element{Frame: n.Frame}
	err := d.Run(n.Frame, n.ID, `(e) => e.localName === "label" ? e.control : e`, nil, &input.ID)
	return input, err
}

// The files of a drop are those of an input that the page does not see. The events are made by script: if a page left a
// drop of the browser's own unhandled, the browser would open the file in the tab, as a document that can read others.
const (
	filesToDrop = `() => {
	const input = own.filesToDrop = document.createElement("input");
	input.type = "file";
	input.multiple = true;
	return input;
}`
	// dropFiles returns whether the page took the drop, which it says by canceling the events, as it has to for a person.
	dropFiles = `(e) => {
	const data = new DataTransfer(), box = ask(Element, "getBoundingClientRect", e);
	for (const file of own.filesToDrop.files) data.items.add(file);
	delete own.filesToDrop;
	const x = box.x + box.width / 2, y = box.y + box.height / 2, hit = (` + hitIn + `)(ask(Node, "getRootNode", e), x, y);
	const at = ask(Node, "contains", e, hit) ? hit : e;
	const send = type => {
		const event = new DragEvent(type, {bubbles: true, cancelable: true, composed: true, view: window, clientX: x, clientY: y, dataTransfer: data});
		return !at.dispatchEvent(event);
	};
	send("dragenter");
	if (send("dragover")) return send("drop");
	send("dragleave");
	return false;
}`
)

// DropFiles drops files on an element, and reports whether the page took them.
func DropFiles(d Actor, n page.Element, paths []string) (taken bool, err error) {
	input := page.Element{Frame: n.Frame}
	if err := d.Run(n.Frame, 0, filesToDrop, nil, &input.ID); err != nil {
		return false, err
	}
	if err := SetFiles(d, input, paths); err != nil {
		return false, err
	}
	err = d.Run(n.Frame, n.ID, dropFiles, nil, &taken)
	return taken, err
}

// SetFiles gives files to an input.
func SetFiles(d Actor, n page.Element, paths []string) error {
	return d.Act(n.Frame, dom.CommandSetFileInputFiles, &dom.SetFileInputFilesParams{Files: paths, BackendNodeID: n.ID}, nil)
}
