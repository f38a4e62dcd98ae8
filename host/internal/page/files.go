package page

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/chromedp/cdproto/dom"
)

// takesFiles gives how many files an input, or that of a label, takes: 0 for none, 1, or 2 for many.
const takesFiles = `(e) => {
	if (e.localName === "label" && e.control) e = e.control;
	return e.localName !== "input" || e.type !== "file" ? 0 : e.multiple ? 2 : 1;
}`

// CheckFiles makes the paths absolute. Its error names the first that is no readable file.
func CheckFiles(paths []string) ([]string, error) {
	out := make([]string, len(paths))
	for i, path := range paths {
		absolute, err := filepath.Abs(path)
		if err != nil {
			return nil, fmt.Errorf("the file %q: %w", path, err)
		}
		info, err := os.Stat(absolute)
		if err != nil {
			return nil, fmt.Errorf("the file %q: %w", path, err)
		}
		if !info.Mode().IsRegular() {
			return nil, fmt.Errorf("the file %q is no regular file", path)
		}
		out[i] = absolute
	}
	return out, nil
}

// FileInput gives the input that takes files for an element, which may be hidden, as it often is; zero where the element is
// something else, such as a button that opens a chooser.
func FileInput(d Actor, n Element, files int) (Element, error) {
	var takes int
	if err := d.Run(n.Frame, n.ID, takesFiles, nil, &takes); err != nil || takes == 0 {
		return Element{}, err
	}
	if takes == 1 && files > 1 {
		return Element{}, unfit(d, n, fmt.Sprintf("a field for one file, and not for %d", files))
	}
	input := Element{Frame: n.Frame}
	err := d.Run(n.Frame, n.ID, `(e) => e.localName === "label" ? e.control : e`, nil, &input.ID)
	return input, err
}

// SetFiles gives files to an input.
func SetFiles(d Actor, n Element, paths []string) error {
	return d.Act(n.Frame, dom.CommandSetFileInputFiles, &dom.SetFileInputFilesParams{Files: paths, BackendNodeID: n.ID}, nil)
}
