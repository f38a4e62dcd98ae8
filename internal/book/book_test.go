package book

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

// repository is this one.
var repository = os.DirFS("../..")

func read(t *testing.T, files fs.FS) *Book {
	t.Helper()
	b, err := Read(files)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestTheBookHasNoDeadLinkAndEveryPageIsInItsIndex(t *testing.T) {
	if err := read(t, repository).Check(repository); err != nil {
		t.Error(err)
	}
}

// small is a book with everything that the tests below look at.
func small() fstest.MapFS {
	files := fstest.MapFS{}
	for name, text := range map[string]string{
		"README.md":    "# Read me\n\n[the book](docs/README.md)\n",
		"docs/a.png":   "a picture",
		"host/host.go": "package host\n",
		Index:          "# Index\n\n[Not a chapter](one.md)\n\n## First\n\n- [One](one.md): see [two](sub/two.md)\n- [Two](sub/two.md)\n",
		"docs/one.md": "# Page *one*\n\n<!-- a comment -->\nText & <b>markup</b>.\n\n## What's `this`, and that?\n\n[two](sub/two.md#twice-1) " +
			"[code](../host/host.go) [out](https://example.org) ![a picture](a.png)\n\n| a | b |\n|---|---|\n| one<br>two | `<pre>` |\n",
		"docs/sub/two.md": "# Two\n\n## Twice\n\nNeedle\n\n## Twice\n\n[up](../one.md#whats-this-and-that) [readme](../../README.md)\n\n" +
			"<!-- not run: it is a sample -->\n```console\n$ ls\n```\n\n```json\n{}\n```\n",
	} {
		files[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return files
}

func TestWhatIsWrongWithABookIsFound(t *testing.T) {
	if err := read(t, small()).Check(small()); err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{
		"[x](three.md)":             "docs/one.md: the link three.md: there is no docs/three.md",
		"[x](#no)":                  "docs/one.md: the link #no: docs/one.md has no heading #no",
		"[x](sub/two.md#twice-2)":   "docs/one.md: the link sub/two.md#twice-2: docs/sub/two.md has no heading #twice-2",
		"![x](b.png)":               "docs/one.md: the link b.png: there is no docs/b.png",
		"[x](../host/gone.go \"\")": "docs/one.md: the link ../host/gone.go: there is no host/gone.go",
	} {
		files := small()
		files["docs/one.md"] = &fstest.MapFile{Data: append(slices.Clone(files["docs/one.md"].Data), "\n"+text+"\n"...)}
		if err := read(t, files).Check(files); err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
	files := small()
	files["docs/lost.md"] = &fstest.MapFile{Data: []byte("# Lost\n")}
	if err := read(t, files).Check(files); err == nil || !strings.Contains(err.Error(), "docs/lost.md is not in docs/README.md") {
		t.Errorf("a page that is not in the index: %v", err)
	}
	delete(files, Index)
	if _, err := Read(files); err == nil {
		t.Error("a book needs no index")
	}
}

func TestABlockSaysHowItIsRun(t *testing.T) {
	blocks := read(t, small()).Pages["docs/sub/two.md"].Blocks
	want := []Block{{"console", "$ ls\n", 13, "not run: it is a sample"}, {"json", "{}\n", 17, ""}}
	if !slices.Equal(blocks, want) || blocks[0].NotRun() != "it is a sample" || blocks[1].NotRun() != "" {
		t.Errorf("the blocks are %+v", blocks)
	}
	if got := (Block{Mark: "run by TestIt"}).RunBy(); got != "TestIt" {
		t.Errorf("it is run by %q", got)
	}
}

func TestAPageIsRendered(t *testing.T) {
	out, err := read(t, small()).Render()
	if err != nil {
		t.Fatal(err)
	}
	for name, wanted := range map[string][]string{
		"index.html": {`<a href="one.html">One</a>`, `<a href="sub/two.html">two</a>`, `href="book.css"`},
		"one.html": {
			"<title>Page one · hermes-cdp</title>", `<h2 id="whats-this-and-that">`, `<a href="sub/two.html#twice-1">two</a>`,
			`<a href="` + Sources + `host/host.go">code</a>`, `<a href="https://example.org">out</a>`, `src="a.png"`,
			`<div class="scroll" tabindex="0" role="group" aria-label="Table"><table>`, "one<br>two", "<code>&lt;pre&gt;</code>", "Text &amp; markup",
			`aria-current="page"`, "Previous: Index", "Next: Two",
		},
		"sub/two.html":        {`href="../book.css"`, `<a href="../one.html#whats-this-and-that">up</a>`, `<a href="../project/readme.html">`, `<pre tabindex="0">`},
		"project/readme.html": {`<a href="../index.html">the book</a>`},
		"search-index.js":     {`"title":"Twice","url":"sub/two.html#twice","text":"Needle "`},
	} {
		for _, want := range wanted {
			if !bytes.Contains(out[name], []byte(want)) {
				t.Errorf("%s has no %s:\n%s", name, want, out[name])
			}
		}
	}
	for name, content := range out {
		for _, unwanted := range []string{"<!--", "raw HTML", "<b>"} {
			if strings.HasSuffix(name, ".html") && bytes.Contains(content, []byte(unwanted)) {
				t.Errorf("%s has %s", name, unwanted)
			}
		}
	}
}

var (
	reference = regexp.MustCompile(`(?:href|src|action)="([^"]*)"`)
	inline    = regexp.MustCompile(`<script>|<style|\son\w+=|\sstyle="|javascript:`)
	code      = regexp.MustCompile(`(?s)<code.*?</code>`)
)

// What a page refers to is in what was rendered, and nothing in it needs a weaker policy than that of the live page.
func TestTheRenderedBookIsWhole(t *testing.T) {
	out, err := read(t, repository).Render()
	if err != nil {
		t.Fatal(err)
	}
	for name, content := range out {
		if !strings.HasSuffix(name, ".html") {
			continue
		}
		text := code.ReplaceAll(content, nil)
		for _, m := range reference.FindAllSubmatch(text, -1) {
			to, fragment, _ := strings.Cut(string(m[1]), "#")
			if isForeign(to) {
				continue
			}
			target := path.Join(path.Dir(name), to)
			if to == "" {
				target = name
			}
			if out[target] == nil || fragment != "" && fragment != "main" && !bytes.Contains(out[target], []byte(`id="`+fragment+`"`)) {
				t.Errorf("%s refers to %s, which was not rendered", name, m[1])
			}
		}
		if found := inline.Find(text); found != nil {
			t.Errorf("%s has %s", name, found)
		}
	}
}

// Each block of the book is of a language that something checks, or says who runs it or why nobody does.
func TestEveryBlockIsChecked(t *testing.T) {
	tests := testsOf(t)
	snippets := compiler(t)
	for name, page := range read(t, repository).Pages {
		for _, block := range page.Blocks {
			at := fmt.Sprintf("%s, line %d", name, block.Line)
			file, isFile := strings.CutPrefix(block.Mark, "file ")
			switch {
			case block.RunBy() != "" && !tests[block.RunBy()]:
				t.Errorf("%s: there is no test %s", at, block.RunBy())
			case isFile && file != path.Base(file):
				t.Errorf("%s: a file in the directory of the page is no %q", at, file)
			case block.NotRun() != "" || block.RunBy() != "":
			case block.Language == "json":
				if !json.Valid([]byte(block.Text)) {
					t.Errorf("%s: it is no JSON", at)
				}
			case block.Language == "go":
				if err := snippets.check(block.Text); err != nil {
					t.Errorf("%s: %v", at, err)
				}
			case !slices.Contains([]string{"console", "yaml", "text", ""}, block.Language):
				t.Errorf("%s: nothing checks %s; run it, or say before it: <!-- not run: why -->", at, block.Language)
			}
		}
	}
}

// testsOf lists the tests of the repository.
func testsOf(t *testing.T) map[string]bool {
	t.Helper()
	found := map[string]bool{}
	declared := regexp.MustCompile(`(?m)^func (Test\w+)\(`)
	err := fs.WalkDir(repository, ".", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && name != "." && strings.HasPrefix(entry.Name(), "."):
			return fs.SkipDir
		case !strings.HasSuffix(name, "_test.go"):
			return nil
		}
		text, err := fs.ReadFile(repository, name)
		for _, m := range declared.FindAllSubmatch(text, -1) {
			found[string(m[1])] = true
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// snippets checks pieces of Go against the packages of this module, by what the go command keeps of them.
type snippets struct {
	files *token.FileSet
	from  types.Importer
}

func compiler(t *testing.T) snippets {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "go", "list", "-export", "-deps", "-f", "{{.ImportPath}} {{.Export}}", "./host", "./sdk/...")
	cmd.Dir, cmd.Stderr = "../..", os.Stderr
	list, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	exports := map[string]string{}
	for line := range strings.Lines(string(list)) {
		name, file, _ := strings.Cut(strings.TrimSpace(line), " ")
		exports[name] = file
	}
	s := snippets{files: token.NewFileSet()}
	s.from = importer.ForCompiler(s.files, "gc", func(name string) (io.ReadCloser, error) { return os.Open(exports[name]) })
	return s
}

// statements is what stands around a piece that is no file.
const statements = "package p\nimport (\"context\"; \"github.com/hermes-cdp/hermes-cdp/host\")\nvar _ host.Host\nfunc _(ctx context.Context, url string) {\n%s\n}\n"

func (s snippets) check(text string) error {
	if !strings.HasPrefix(strings.TrimSpace(text), "package ") {
		text = fmt.Sprintf(statements, text)
	}
	file, err := parser.ParseFile(s.files, "block.go", text, 0)
	if err != nil {
		return err
	}
	var wrong error
	c := types.Config{Importer: s.from, Error: func(err error) {
		// A piece need not use all that it declares.
		var e types.Error
		if wrong == nil && !(errors.As(err, &e) && e.Soft) {
			wrong = err
		}
	}}
	_, _ = c.Check("p", s.files, []*ast.File{file}, nil)
	return wrong
}

func TestGoThatDoesNotCompileIsNoticed(t *testing.T) {
	s := compiler(t)
	for text, right := range map[string]bool{
		"h, _ := host.New(ctx, nil)\ndefer h.Close(ctx)": true, "package main\nfunc main() {}": true,
		"h, _ := host.Now(ctx, nil)": false, "h := host.New(ctx, nil)": false, "package main\nfunc main() { x() }": false, "if {": false,
	} {
		if err := s.check(text); right != (err == nil) {
			t.Errorf("%s: %v", text, err)
		}
	}
}

func TestAddressesDifferByMoreThanTheirCase(t *testing.T) {
	seen := map[string]string{}
	for _, name := range slices.Sorted(maps.Keys(read(t, repository).Pages)) {
		at := strings.ToLower(Address(name))
		if seen[at] != "" {
			t.Errorf("%s and %s are both at %s", name, seen[at], at)
		}
		seen[at] = name
	}
}
