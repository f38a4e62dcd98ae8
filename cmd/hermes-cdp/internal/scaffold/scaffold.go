// Package scaffold writes the directory of a new plugin: sources, manifest, golden table and, for Go, the SDK, so that
// it builds, tests and runs at once and without a network.
package scaffold

import (
	"bytes"
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/template"

	hermescdp "github.com/hermes-cdp/hermes-cdp"
	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/bindings"
	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/builder"
)

//go:embed templates
var templates embed.FS

// sdkDir is the directory of abi and sdk in a plugin's directory.
const sdkDir = "hermes-cdp"

// Written tells what [Write] made.
type Written struct {
	Dir      string           `json:"dir"`
	Name     string           `json:"name"`
	Hook     Hook             `json:"hook"`
	Language builder.Language `json:"lang"`
	Files    []string         `json:"files"` // relative to Dir, sorted, without those of the SDK
}

// Write makes the directory of a new plugin. It refuses one that exists already. On an error nothing is left behind; it
// is an [*OptionError] where an option is wrong.
func Write(ctx context.Context, o Options) (Written, error) {
	o = o.withDefaults()
	if err := o.check(); err != nil {
		return Written{}, err
	}
	if _, err := os.Lstat(o.Dir); err == nil {
		return Written{}, fmt.Errorf("%s exists already; choose another directory with --dir, or remove it", o.Dir)
	} else if !errors.Is(err, fs.ErrNotExist) {
		return Written{}, err
	}
	files, err := o.files(ctx)
	if err != nil {
		return Written{}, err
	}
	if err := writeAll(o.Dir, files); err != nil {
		return Written{}, err
	}
	written := Written{Dir: o.Dir, Name: o.Name, Hook: o.Hook, Language: o.Language}
	for name := range files {
		if !strings.HasPrefix(name, sdkDir+"/") {
			written.Files = append(written.Files, name)
		}
	}
	slices.Sort(written.Files)
	return written, nil
}

// generatedAt is where a language has what hermes-cdp plugin generate writes.
var generatedAt = map[builder.Language]string{
	builder.Rust: "src/hermes.rs", builder.AssemblyScript: "hermes.ts", builder.C: "hermes.h", builder.Zig: "hermes.zig",
}

// files is everything that the directory will have, by its path with slashes.
func (o Options) files(ctx context.Context) (map[string][]byte, error) {
	files := make(map[string][]byte)
	if err := o.render("templates/"+templatesOf(o.Language), false, files); err != nil {
		return nil, err
	}
	for _, folder := range []string{"templates/hooks/" + string(o.Hook), "templates/" + templatesOf(o.Language) + "/" + string(o.Hook)} {
		if err := o.render(folder, true, files); err != nil {
			return nil, err
		}
	}
	if at := generatedAt[o.Language]; at != "" {
		generated, err := bindings.Generate(ctx, o.Language)
		if err != nil {
			return nil, err
		}
		files[at] = generated
		return files, o.addPackage(files)
	}
	files[sdkDir+"/go.mod"] = files["sdk.mod"]
	delete(files, "sdk.mod")
	return files, addSDK(files)
}

// addPackage adds what npm needs for AssemblyScript, and the bridge's script in a form that it can import.
func (o Options) addPackage(files map[string][]byte) error {
	if o.Language != builder.AssemblyScript {
		return nil
	}
	const example = "assemblyscript-policy"
	for _, name := range []string{"package.json", "package-lock.json"} {
		data, err := hermescdp.Examples.ReadFile("plugins/examples/" + example + "/" + name)
		if err != nil {
			return err
		}
		files[name] = bytes.ReplaceAll(data, []byte(example), []byte(o.Name))
	}
	if script, found := files["script.js"]; found {
		quoted := strings.NewReplacer("\\", "\\\\", "`", "\\`", "${", "\\${").Replace(string(script))
		files["script.ts"] = []byte("// A function of the token and of the dialogs that it takes: JavaScript that runs in the page.\nexport const SCRIPT = `" + quoted + "`;\n")
		delete(files, "script.js")
	}
	return nil
}

// render adds the templates of a directory; deep: with those below it.
func (o Options) render(folder string, deep bool, files map[string][]byte) error {
	return fs.WalkDir(templates, folder, func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() {
			if name != folder && !deep {
				return fs.SkipDir
			}
			return nil
		}
		text, err := templates.ReadFile(name)
		if err != nil {
			return err
		}
		// Braces are all over the sources, so the templates have other marks.
		parsed, err := template.New(name).Delims("<<", ">>").Option("missingkey=error").Parse(string(text))
		if err != nil {
			return err
		}
		var out bytes.Buffer
		if err := parsed.Execute(&out, o); err != nil {
			return err
		}
		files[target(strings.TrimPrefix(name, folder+"/"))] = out.Bytes()
		return nil
	})
}

// target is the path in a plugin's directory of what is made from a template. A name with a dot in front cannot be
// embedded with its directory.
func target(path string) string {
	switch path = strings.TrimSuffix(path, ".tmpl"); path {
	case "gitignore":
		return ".gitignore"
	case "cargo-config.toml":
		return ".cargo/config.toml"
	}
	return path
}

// notForGuests are the directories of abi and sdk that neither guests nor their tests import. They need modules of
// others, which a machine without a network may not have, or files besides their sources.
var notForGuests = []string{"abi/conformance", "abi/manifest"}

// addSDK adds what a guest and its tests import of abi and sdk, and nothing that only the tests of these need.
func addSDK(files map[string][]byte) error {
	return fs.WalkDir(hermescdp.Guest, ".", func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && (entry.Name() == "testdata" || slices.Contains(notForGuests, path)):
			return fs.SkipDir
		case entry.IsDir() || strings.HasSuffix(path, "_test.go"):
			return nil
		case !strings.HasSuffix(path, ".go") && !strings.HasSuffix(path, ".proto"):
			return nil
		}
		data, err := hermescdp.Guest.ReadFile(path)
		files[sdkDir+"/"+path] = data
		return err
	})
}

// writeAll makes the directory as a whole or not at all.
func writeAll(dir string, files map[string][]byte) error {
	parent := filepath.Dir(filepath.Clean(dir))
	if err := os.MkdirAll(parent, 0o755); err != nil {
		return err
	}
	building, err := os.MkdirTemp(parent, "."+filepath.Base(dir)+".*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(building) // after the rename there is nothing of that name
	if err := os.Chmod(building, 0o755); err != nil {
		return err
	}
	for name, data := range files {
		path := filepath.Join(building, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, data, 0o644); err != nil {
			return err
		}
	}
	return os.Rename(building, dir)
}
