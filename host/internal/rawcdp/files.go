package rawcdp

import (
	"encoding/json"
	"fmt"

	cdpbrowser "github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/input"

	"github.com/hermes-cdp/hermes-cdp/host/act"
	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/host/internal/cdp"
)

// These two are for older browsers.
const (
	handleFileChooser   = "Page.handleFileChooser"
	setDownloadBehavior = "Page.setDownloadBehavior"
)

// givesFiles are the commands that give files to a page.
var givesFiles = map[string]bool{dom.CommandSetFileInputFiles: true, handleFileChooser: true, input.CommandDispatchDragEvent: true}

// confine checks the files and directories of this machine that a raw command names against Options.UploadRoots, and
// replaces them with their real paths.
func confine(t *act.Pages, method string, p params) error {
	switch method {
	case dom.CommandSetFileInputFiles, handleFileChooser:
		return confineFiles(t, p)
	case input.CommandDispatchDragEvent:
		return confineDrag(t, method, p)
	case setDownloadBehavior, cdpbrowser.CommandSetDownloadBehavior:
		if p.text("behavior") == "default" {
			return &fault.RefusedError{Method: method, Reason: "files would go to the directory of the browser's user"}
		}
		if _, there := p["downloadPath"]; !there {
			return nil
		}
		dir, err := t.Uploads().Folder(p.text("downloadPath"))
		if err != nil {
			return act.PathError(err)
		}
		p["downloadPath"], err = json.Marshal(dir)
		return err
	}
	return nil
}

// confineDrag checks the files of a drag. If no handler of the page takes a dropped file, the browser opens it as a
// document with a file: URL: its process may read every file, and empty tabs that its script opens stay in that
// process. So files may be dropped only where such documents are allowed.
func confineDrag(t *act.Pages, method string, p params) error {
	data := params{}
	if err := cdp.Unmarshal(p["data"], &data); err != nil {
		return fmt.Errorf("%w: data must be an object that holds the dragged data", fault.ErrBadArguments)
	}
	if err := confineFiles(t, data); err != nil {
		return err
	}
	files := string(data["files"])
	if err := t.Rules.Schemes.Check("file:///"); err != nil && files != "" && files != "[]" {
		return &fault.RefusedError{Method: method, Reason: "a page that does not take the files would show them, and " + err.Error() +
			"; give them to a field with DOM.setFileInputFiles"}
	}
	var err error
	p["data"], err = json.Marshal(data)
	return err
}

// confineFiles checks the parameter files.
func confineFiles(t *act.Pages, p params) error {
	if _, there := p["files"]; !there {
		return nil
	}
	var files []string
	if err := json.Unmarshal(p["files"], &files); err != nil {
		return fmt.Errorf("%w: files must be a list of paths", fault.ErrBadArguments)
	}
	real, err := t.Uploads().Files(files)
	if err != nil {
		return act.PathError(err)
	}
	p["files"], err = json.Marshal(real)
	return err
}
