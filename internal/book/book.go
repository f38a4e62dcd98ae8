// Package book reads the documents of the repository as one book, checks its links, and renders it as static HTML with
// a search that needs no server.
package book

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// Index is the page with the order of the book: its headings are parts, and the links below them are chapters.
const Index = "docs/README.md"

// Page is one document.
type Page struct {
	Path     string // in the repository
	Title    string
	Headings []Heading
	Blocks   []Block
	Links    []string // as written
	// Listed says that it is a chapter of the index.
	Listed bool

	source []byte
	tree   ast.Node
}

// Heading is one heading of a page.
type Heading struct {
	Level    int
	ID, Text string
}

// Block is one block of code.
type Block struct {
	Language string // empty: none is given
	Text     string
	Line     int    // its first, from 1
	Mark     string // what the comment before it says: "not run: why", "run by TestName"
}

// Part is what the index has below one heading.
type Part struct {
	Title string
	Pages []*Page
}

// Book is all documents.
type Book struct {
	Pages map[string]*Page // by path
	Parts []Part
	files fs.FS
}

// Read reads the documents of a repository: those below docs, and those at its top.
func Read(files fs.FS) (*Book, error) {
	b := &Book{Pages: map[string]*Page{}, files: files}
	for _, pattern := range []string{"*.md", "docs/*.md", "docs/*/*.md"} {
		names, err := fs.Glob(files, pattern)
		if err != nil {
			return nil, err
		}
		for _, name := range names {
			source, err := fs.ReadFile(files, name)
			if err != nil {
				return nil, err
			}
			b.Pages[name] = parse(name, source)
		}
	}
	return b, b.readIndex()
}

func (b *Book) readIndex() error {
	index := b.Pages[Index]
	if index == nil {
		return fmt.Errorf("there is no %s", Index)
	}
	index.Listed = true
	for node := index.tree.FirstChild(); node != nil; node = node.NextSibling() {
		if heading, ok := node.(*ast.Heading); ok && heading.Level == 2 {
			b.Parts = append(b.Parts, Part{Title: textOf(heading, index.source)})
			continue
		}
		list, ok := node.(*ast.List)
		if !ok || len(b.Parts) == 0 {
			continue
		}
		part := &b.Parts[len(b.Parts)-1]
		for item := list.FirstChild(); item != nil; item = item.NextSibling() {
			// The first link of an item is the chapter; others are in the text about it.
			link := firstLink(item)
			if link == nil {
				continue
			}
			to, _, _ := strings.Cut(string(link.Destination), "#")
			if page := b.Pages[path.Join(path.Dir(Index), to)]; page != nil && !page.Listed {
				page.Listed = true
				part.Pages = append(part.Pages, page)
			}
		}
	}
	return nil
}

func firstLink(in ast.Node) (found *ast.Link) {
	_ = ast.Walk(in, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if link, ok := n.(*ast.Link); ok && entering && found == nil {
			found = link
			return ast.WalkStop, nil
		}
		return ast.WalkContinue, nil
	})
	return found
}

// markdown is that of GitHub, where the same documents are read.
var markdown = goldmark.New(goldmark.WithExtensions(extension.GFM), goldmark.WithParserOptions(parser.WithAutoHeadingID()))

func parse(name string, source []byte) *Page {
	p := &Page{Path: name, source: source}
	p.tree = markdown.Parser().Parse(text.NewReader(source), parser.WithContext(parser.NewContext(parser.WithIDs(anchors{}))))
	_ = ast.Walk(p.tree, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Heading:
			id, _ := n.AttributeString("id")
			bytes, _ := id.([]byte)
			p.Headings = append(p.Headings, Heading{n.Level, string(bytes), textOf(n, source)})
		case *ast.Link:
			p.Links = append(p.Links, string(n.Destination))
		case *ast.Image:
			p.Links = append(p.Links, string(n.Destination))
		case *ast.FencedCodeBlock:
			p.Blocks = append(p.Blocks, p.block(n, string(n.Language(source))))
		}
		return ast.WalkContinue, nil
	})
	p.Title = strings.TrimSuffix(path.Base(name), ".md")
	if len(p.Headings) > 0 {
		p.Title = p.Headings[0].Text
	}
	return p
}

func (p *Page) block(n ast.Node, language string) Block {
	block := Block{Language: language, Text: string(linesOf(n, p.source))}
	if lines := n.Lines(); lines.Len() > 0 {
		block.Line = 1 + bytes.Count(p.source[:lines.At(0).Start], []byte("\n"))
	}
	if before, ok := n.PreviousSibling().(*ast.HTMLBlock); ok {
		comment := strings.TrimSpace(string(linesOf(before, p.source)))
		if inner, ok := strings.CutPrefix(comment, "<!--"); ok {
			block.Mark = strings.TrimSpace(strings.TrimSuffix(inner, "-->"))
		}
	}
	return block
}

// NotRun is why the block is not run; empty: it is.
func (b Block) NotRun() string {
	why, _ := strings.CutPrefix(b.Mark, "not run: ")
	if why == b.Mark {
		return ""
	}
	return why
}

// RunBy is the test that runs it, if another than the check of the book does.
func (b Block) RunBy() string {
	name, found := strings.CutPrefix(b.Mark, "run by ")
	if !found {
		return ""
	}
	return name
}

func linesOf(n ast.Node, source []byte) []byte {
	var out []byte
	for i := range n.Lines().Len() {
		line := n.Lines().At(i)
		out = append(out, line.Value(source)...)
	}
	if html, ok := n.(*ast.HTMLBlock); ok && html.HasClosure() {
		out = append(out, html.ClosureLine.Value(source)...)
	}
	return out
}

// textOf is the text of a node without markup.
func textOf(n ast.Node, source []byte) string {
	var out strings.Builder
	_ = ast.Walk(n, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Text:
			out.Write(n.Value(source))
			if n.SoftLineBreak() || n.HardLineBreak() {
				out.WriteByte(' ')
			}
		case *ast.String:
			out.Write(n.Value)
		case *ast.AutoLink:
			out.Write(n.Label(source))
		}
		return ast.WalkContinue, nil
	})
	return out.String()
}

// anchors names headings as GitHub does, so that a link works in both places.
type anchors map[string]int

// Generate implements [parser.IDs].
func (a anchors) Generate(value []byte, _ ast.NodeKind) []byte {
	var id strings.Builder
	for _, r := range strings.ToLower(strings.TrimSpace(string(value))) {
		switch {
		case r == ' ':
			id.WriteByte('-')
		case r == '-' || r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r > 127:
			id.WriteRune(r)
		}
	}
	name := id.String()
	n := a[name]
	a[name]++
	if n > 0 {
		name = fmt.Sprintf("%s-%d", name, n)
	}
	return []byte(name)
}

// Put implements [parser.IDs].
func (a anchors) Put(value []byte) { a[string(value)]++ }

// Check returns what is wrong with the links of the book, and with its index. The files are those of the whole
// repository, where links may lead out of the book.
func (b *Book) Check(repository fs.FS) error {
	var problems []error
	for _, name := range slices.Sorted(maps.Keys(b.Pages)) {
		page := b.Pages[name]
		if strings.HasPrefix(name, "docs/") && !page.Listed {
			problems = append(problems, fmt.Errorf("%s is not in %s: add a link to it below a heading", name, Index))
		}
		for _, link := range page.Links {
			if err := b.checkLink(page, link, repository); err != nil {
				problems = append(problems, fmt.Errorf("%s: the link %s: %w", name, link, err))
			}
		}
	}
	return errors.Join(problems...)
}

func (b *Book) checkLink(from *Page, link string, repository fs.FS) error {
	if isForeign(link) {
		return nil
	}
	to, fragment, _ := strings.Cut(link, "#")
	target := from.Path
	if to != "" {
		target = path.Join(path.Dir(from.Path), to)
	}
	if _, err := fs.Stat(repository, target); err != nil {
		return fmt.Errorf("there is no %s", target)
	}
	page := b.Pages[target]
	if fragment == "" || page == nil {
		return nil
	}
	if !slices.ContainsFunc(page.Headings, func(h Heading) bool { return h.ID == fragment }) {
		return fmt.Errorf("%s has no heading #%s", target, fragment)
	}
	return nil
}

// isForeign says that a link leads to another site.
func isForeign(link string) bool {
	return strings.Contains(link, "://") || strings.HasPrefix(link, "mailto:")
}

// chapters are all pages in the order of the index; those that it does not list come last.
func (b *Book) chapters() []*Page {
	pages := []*Page{b.Pages[Index]}
	for _, part := range b.Parts {
		pages = append(pages, part.Pages...)
	}
	rest := slices.DeleteFunc(slices.Collect(maps.Values(b.Pages)), func(p *Page) bool { return p.Listed })
	slices.SortFunc(rest, func(a, b *Page) int { return cmp.Compare(a.Path, b.Path) })
	return append(pages, rest...)
}
