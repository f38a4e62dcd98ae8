package input

import (
	"fmt"

	"github.com/chromedp/cdproto/dom"

	"github.com/hermes-cdp/hermes-cdp/host/internal/page"
	"github.com/hermes-cdp/hermes-cdp/host/internal/page/query"
	"github.com/hermes-cdp/hermes-cdp/internal/upload"
)

// takesFiles returns what an input, or that of a label, takes: nothing, a file, files, or a directory.
const takesFiles = `(e) => {
	if (e.localName === "label" && e.control) e = e.control;
	if (e.localName !== "input" || e.type !== "file") return "nothing";
	return e.webkitdirectory ? "a directory" : e.multiple ? "files" : "a file";
}`

// FileInput returns the file input, often hidden, that belongs to an element, and that takes what is given; zero if the
// element is something else, such as a button that opens a file chooser.
func FileInput(d Actor, n page.Element, given upload.Given) (page.Element, error) {
	var takes string
	if err := d.Run(n.Frame, n.ID, takesFiles, nil, &takes); err != nil || takes == "nothing" {
		return page.Element{}, err
	}
	switch directory := takes == "a directory"; {
	case directory && !given.Directory:
		return page.Element{}, unfitError(d, n, "a field for a directory: give the path of one, alone")
	case given.Directory && !directory:
		return page.Element{}, unfitError(d, n, "a field for "+takes+", not for a directory")
	case takes == "a file" && len(given.Paths) > 1:
		return page.Element{}, unfitError(d, n, fmt.Sprintf("a field for one file, not for %d", len(given.Paths)))
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

// SetDirectory gives a field the files of a directory, which the browser looks through first, waits until the field has
// them, and returns how many it has.
func SetDirectory(d Actor, n page.Element, dir string) (files int, err error) {
	if err := d.Run(n.Frame, n.ID, `(e) => { own.filesBefore = e.files; return null }`, nil, nil); err != nil {
		return 0, err
	}
	if err := SetFiles(d, n, []string{dir}); err != nil {
		return 0, err
	}
	_, err = query.Until(d, 0, func() (has bool, unresponsive, err error) {
		err = d.Run(n.Frame, n.ID, `(e) => e.files === own.filesBefore ? 0 : e.files.length`, nil, &files)
		return files > 0, nil, err
	})
	return files, err
}
