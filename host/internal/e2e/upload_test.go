package e2e

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host"
)

// A page gets files of the directories that were named, by whatever way, and none by a symbolic link out of them.
func TestFilesOutsideOfTheRootsAreRefused(t *testing.T) {
	t.Parallel()
	root, outside := t.TempDir(), t.TempDir()
	fine, secret := filepath.Join(root, "fine.txt"), filepath.Join(outside, "secret.txt")
	link, folder := filepath.Join(root, "link.txt"), filepath.Join(root, "directory")
	if err := errors.Join(os.WriteFile(fine, nil, 0o600), os.WriteFile(secret, nil, 0o600), os.Symlink(secret, link), os.Symlink(outside, folder)); err != nil {
		t.Fatal(err)
	}
	w := newWorldOn(t, common.Address(t), host.Options{UploadRoots: []string{root}, AllowSchemes: []string{"file"}}, map[string]string{"/page": `<input type=file id=file>
		<script>got = []; addEventListener("dragover", e => e.preventDefault());
		addEventListener("drop", e => { e.preventDefault(); for (const f of e.dataTransfer.files) got.push(f.name) })</script>`}, host.TaskOptions{})
	w.open("/page")
	node := w.raw(host.CDPCall{Method: "Runtime.evaluate", Params: params("expression", "document.querySelector('#file')")})["result"].(map[string]any)["objectId"]
	drop := func(path string) error {
		var failed error
		for _, step := range []string{"dragEnter", "dragOver", "drop"} {
			data := map[string]any{"items": []any{}, "files": []string{path}, "dragOperationsMask": 1}
			_, err := w.CDP(w.ctx, host.CDPCall{Method: "Input.dispatchDragEvent", Params: params("type", step, "x", 100, "y", 100, "data", data)})
			failed = errors.Join(failed, err)
		}
		return failed
	}
	ways := map[string]func(path string) error{
		"the tool": func(path string) error {
			_, err := w.Tab("").Upload(w.ctx, host.BySelector("#file"), []string{path}, nil)
			return err
		},
		"a raw command": func(path string) error {
			_, err := w.CDP(w.ctx, host.CDPCall{Method: "DOM.setFileInputFiles", Params: params("files", []string{path}, "objectId", node)})
			return err
		},
		"a drop": drop,
	}
	for name, give := range ways {
		for _, path := range []string{secret, link, filepath.Join(folder, "secret.txt"), filepath.Join(root, "..", filepath.Base(outside), "secret.txt"), "/etc/passwd", "/proc/self/environ"} {
			if err := give(path); !errors.Is(err, host.ErrRefused) || !strings.Contains(err.Error(), root) {
				t.Errorf("%s of %s: got %v, want it refused, and the directory named", name, path, err)
			}
		}
		want(t, name+": the field", w.evaluate("document.querySelector('#file').files.length"), "0")
		if err := give(fine); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		w.evaluate("document.querySelector('#file').value = ''")
	}
	want(t, "what was dropped", w.evaluate("got"), `["fine.txt"]`)
	for path, refused := range map[string]bool{outside: true, folder: true, "/": true, root: false} {
		for _, method := range []string{"Browser.setDownloadBehavior", "Page.setDownloadBehavior"} {
			_, err := w.CDP(w.ctx, host.CDPCall{Method: method, Params: params("behavior", "allow", "downloadPath", path)})
			if refused != errors.Is(err, host.ErrRefused) {
				t.Errorf("%s to %s: got %v", method, path, err)
			}
		}
	}
	if _, err := w.CDP(w.ctx, host.CDPCall{Method: "DOM.setFileInputFiles", Params: json.RawMessage(`{"files": {"0": "/etc/passwd"}}`)}); !errors.Is(err, host.ErrBadArguments) {
		t.Errorf("files that are no list: %v", err)
	}
}

// A file that is dropped where no page takes it is opened by the browser as a document of a file: address, from whose
// process an empty tab can go to every other file.
func TestADroppedFileIsNoWayToOtherFiles(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	file := filepath.Join(root, "page.html")
	if err := os.WriteFile(file, []byte("<script>open('about:blank')</script>"), 0o600); err != nil {
		t.Fatal(err)
	}
	w := newWorldOn(t, common.Address(t), host.Options{UploadRoots: []string{root}}, nil, host.TaskOptions{})
	w.open("/empty")
	for _, step := range []string{"dragEnter", "dragOver", "drop"} {
		data := map[string]any{"items": []any{}, "files": []string{file}, "dragOperationsMask": 1}
		_, err := w.CDP(w.ctx, host.CDPCall{Method: "Input.dispatchDragEvent", Params: params("type", step, "x", 100, "y", 100, "data", data)})
		if !errors.Is(err, host.ErrRefused) || !strings.Contains(err.Error(), "DOM.setFileInputFiles") {
			t.Errorf("%s: got %v, want it refused, and another way named", step, err)
		}
		data["files"] = []string{}
		if _, err := w.CDP(w.ctx, host.CDPCall{Method: "Input.dispatchDragEvent", Params: params("type", step, "x", 100, "y", 100, "data", data)}); err != nil {
			t.Errorf("%s without files: %v", step, err)
		}
	}
	want(t, "tabs", len(w.Tabs()), 1)
}

// A field for directories gets one with all its files. Of files Chromium would give it none, without a word.
func TestADirectoryIsGivenToAFieldForOne(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	for _, name := range []string{"one/a.txt", "one/sub/b.txt", "other/one/e.txt", "two/c.txt", "linked/d.txt"} {
		path := filepath.Join(root, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, nil, 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("/etc", filepath.Join(root, "linked/etc")); err != nil {
		t.Fatal(err)
	}
	w := newWorldOn(t, common.Address(t), host.Options{UploadRoots: []string{root}}, map[string]string{"/page": `<input type=file webkitdirectory id=directory>
		<input type=file multiple id=files><button onclick="directory.click()">Choose</button>`}, host.TaskOptions{})
	w.open("/page")
	tab, at := w.Tab(""), func(names ...string) (paths []string) {
		for _, name := range names {
			paths = append(paths, filepath.Join(root, name))
		}
		return paths
	}
	for _, tc := range []struct {
		element, directory string
		files              int
		has                string
	}{
		{"#directory", "one", 2, `["one/a.txt","one/sub/b.txt"]`},
		{"#directory", "other/one", 1, `["one/e.txt"]`}, // of the same name, so that the field must have changed
		{"#directory", "other/one", 1, `["one/e.txt"]`},
		{"button", "two", 1, `["two/c.txt"]`},
	} {
		acted, err := tab.Upload(w.unhurried(), host.BySelector(tc.element), at(tc.directory), nil)
		if err != nil || acted.Given != tc.files {
			t.Errorf("%s: %+v, %v", tc.directory, acted, err)
		}
		want(t, tc.directory, w.evaluate("[...directory.files].map(f => f.webkitRelativePath).sort()"), tc.has)
	}
	for _, tc := range []struct {
		element string
		paths   []string
		why     string
	}{
		{"#directory", at("one/a.txt"), "a field for a directory"},
		{"#files", at("one"), "not for a directory"},
		{"#directory", at("linked"), "symbolic link"},
		{"#directory", at("one", "two"), "a directory is given alone"},
	} {
		if _, err := tab.Upload(w.unhurried(), host.BySelector(tc.element), tc.paths, nil); err == nil || !strings.Contains(err.Error(), tc.why) {
			t.Errorf("%s to %s: %v", tc.paths, tc.element, err)
		}
	}
	want(t, "after what was refused", w.evaluate("[...directory.files].map(f => f.webkitRelativePath)"), `["two/c.txt"]`)
}
