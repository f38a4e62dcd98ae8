package host

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/input"

	"github.com/hermes-cdp/hermes-cdp/host/internal/upload"
)

// confine holds the files and folders of this machine that a raw command names against [Options.UploadRoots], and puts their
// real paths in their place.
func (t *Task) confine(method string, p rawParams) error {
	switch method {
	case dom.CommandSetFileInputFiles, "Page.handleFileChooser": // the latter of older browsers
		return t.confineFiles(p)
	case input.CommandDispatchDragEvent:
		return t.confineDrag(method, p)
	case "Page.setDownloadBehavior", browser.CommandSetDownloadBehavior:
		if _, there := p["downloadPath"]; !there {
			return nil
		}
		folder, err := t.link.host.uploads.Folder(p.text("downloadPath"))
		if err != nil {
			return pathError(err)
		}
		p["downloadPath"], err = json.Marshal(folder)
		return err
	}
	return nil
}

// confineDrag does so with what is dragged. A file that no handler of the page takes is opened by the browser as a document of
// a file: address: the process that it gets may read every file, and empty tabs that its script opens stay in that process. So
// files are dropped only where such documents are allowed.
func (t *Task) confineDrag(method string, p rawParams) error {
	data := rawParams{}
	if err := unmarshal(p["data"], &data); err != nil {
		return fmt.Errorf("%w: data is an object with what is dragged", ErrBadCall)
	}
	if err := t.confineFiles(data); err != nil {
		return err
	}
	files := string(data["files"])
	if err := t.link.host.schemes.Check("file:///"); err != nil && files != "" && files != "[]" {
		return &RefusedError{Method: method, Reason: "a page that does not take the files would show them, and " + err.Error() +
			"; give them to a field with DOM.setFileInputFiles"}
	}
	var err error
	p["data"], err = json.Marshal(data)
	return err
}

// confineFiles does so with the list files.
func (t *Task) confineFiles(p rawParams) error {
	if _, there := p["files"]; !there {
		return nil
	}
	var files []string
	if err := json.Unmarshal(p["files"], &files); err != nil {
		return fmt.Errorf("%w: files is a list of paths", ErrBadCall)
	}
	real, err := t.link.host.uploads.Files(files)
	if err != nil {
		return pathError(err)
	}
	p["files"], err = json.Marshal(real)
	return err
}

// pathError says whether a path is not allowed, or is not what it should be.
func pathError(err error) error {
	var outside *upload.OutsideError
	if errors.As(err, &outside) || errors.As(err, new(*upload.PrivateError)) {
		return fmt.Errorf("%w: %w", ErrRefused, err)
	}
	return fmt.Errorf("%w: %w", ErrBadCall, err)
}
