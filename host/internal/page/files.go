package page

import (
	"fmt"

	"github.com/chromedp/cdproto/dom"
)

// takesFiles returns how many files an input, or that of a label, takes: 0 for none, 1, or 2 for any number.
const takesFiles = `(e) => {
	if (e.localName === "label" && e.control) e = e.control;
	return e.localName !== "input" || e.type !== "file" ? 0 : e.multiple ? 2 : 1;
}`

// FileInput returns the file input, often hidden, that belongs to an element; zero if the element is something else,
// such as a button that opens a file chooser.
func FileInput(d Actor, n Element, files int) (Element, error) {
	var takes int
	if err := d.Run(n.Frame, n.ID, takesFiles, nil, &takes); err != nil || takes == 0 {
		return Element{}, err
	}
	if takes == 1 && files > 1 {
		return Element{}, unfitError(d, n, fmt.Sprintf("a field for one file, not for %d", files))
	}
	input := Element{Frame: n.Frame}
	err := d.Run(n.Frame, n.ID, `(e) => e.localName === "label" ? e.control : e`, nil, &input.ID)
	return input, err
}

// SetFiles gives files to an input.
func SetFiles(d Actor, n Element, paths []string) error {
	return d.Act(n.Frame, dom.CommandSetFileInputFiles, &dom.SetFileInputFilesParams{Files: paths, BackendNodeID: n.ID}, nil)
}
