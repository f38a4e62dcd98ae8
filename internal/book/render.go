package book

import (
	"bytes"
	"embed"
	"encoding/json"
	"fmt"
	"html/template"
	"io/fs"
	"path"
	"strings"

	"github.com/yuin/goldmark/ast"
)

// Sources is where links lead that leave the book: to files of the repository.
const Sources = "https://github.com/hermes-cdp/hermes-cdp/blob/main/"

//go:embed assets
var assets embed.FS

var layout = template.Must(template.ParseFS(assets, "assets/page.html", "assets/search.html"))

// Address is where a page of the repository is in the rendered book.
func Address(name string) string {
	if name == Index {
		return "index.html"
	}
	name = strings.TrimSuffix(name, ".md") + ".html"
	below, isBelow := strings.CutPrefix(name, "docs/")
	if !isBelow {
		below = "project/" + strings.ToLower(name) // where SECURITY.md is no other page than docs/security.md by its case
	}
	return below
}

// section is what a search finds: a heading with the text below it.
type section struct {
	ID    int    `json:"id"`
	Page  string `json:"page"`
	Title string `json:"title"`
	URL   string `json:"url"`
	Text  string `json:"text"`
}

type view struct {
	Title, Root string // Root leads to the top of the book: empty, or ../
	Parts       []partView
	Content     template.HTML
	Headings    []Heading
	Previous    *link
	Next        *link
	Source      string
}

type partView struct {
	Title string
	Pages []link
}

type link struct {
	Title, URL string
	Current    bool
}

// Render renders the book: the content of each file by its path, all of it below one directory.
func (b *Book) Render() (map[string][]byte, error) {
	out := map[string][]byte{}
	chapters := b.chapters()
	var sections []section
	for i, page := range chapters {
		at := Address(page.Path)
		root := strings.Repeat("../", strings.Count(at, "/"))
		sections = b.sections(page, sections)
		if err := b.rewrite(page, root, out); err != nil {
			return nil, err
		}
		var content bytes.Buffer
		if err := markdown.Renderer().Render(&content, page.source, page.tree); err != nil {
			return nil, fmt.Errorf("%s: %w", page.Path, err)
		}
		v := view{Title: page.Title, Root: root, Parts: b.nav(page, root), Content: reachable(content.String()), Source: Sources + page.Path}
		for _, h := range page.Headings {
			if h.Level == 2 {
				v.Headings = append(v.Headings, h)
			}
		}
		if i > 0 {
			v.Previous = &link{Title: chapters[i-1].Title, URL: root + Address(chapters[i-1].Path)}
		}
		if i+1 < len(chapters) {
			v.Next = &link{Title: chapters[i+1].Title, URL: root + Address(chapters[i+1].Path)}
		}
		if err := execute(out, at, "page.html", v); err != nil {
			return nil, err
		}
	}
	if err := execute(out, "search.html", "search.html", view{Title: "Search", Parts: b.nav(nil, "")}); err != nil {
		return nil, err
	}
	found, err := json.Marshal(sections)
	if err != nil {
		return nil, err
	}
	// A script, and no JSON, so that it can be loaded where the book is opened as a file.
	out["search-index.js"] = append(append([]byte("globalThis.bookSections = "), found...), ";\n"...)
	for _, name := range []string{"book.css", "book.js", "minisearch.js", "icon.svg"} {
		if out[name], err = assets.ReadFile("assets/" + name); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func execute(out map[string][]byte, at, name string, v view) error {
	var page bytes.Buffer
	if err := layout.ExecuteTemplate(&page, name, v); err != nil {
		return fmt.Errorf("%s: %w", at, err)
	}
	out[at] = page.Bytes()
	return nil
}

func (b *Book) nav(current *Page, root string) []partView {
	var parts []partView
	for _, part := range b.Parts {
		v := partView{Title: part.Title}
		for _, page := range part.Pages {
			v.Pages = append(v.Pages, link{page.Title, root + Address(page.Path), page == current})
		}
		parts = append(parts, v)
	}
	return parts
}

// rewrite makes the links of a page lead to where the pages are rendered, takes comments out, and adds the pictures
// that it shows. It changes the page, which is rendered once.
func (b *Book) rewrite(page *Page, root string, out map[string][]byte) error {
	var comments, breaks []ast.Node
	err := ast.Walk(page.tree, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.HTMLBlock:
			comments = append(comments, n)
		case *ast.RawHTML:
			if strings.HasPrefix(string(n.Segments.Value(page.source)), "<br") {
				breaks = append(breaks, n)
			} else {
				comments = append(comments, n)
			}
		case *ast.Link:
			n.Destination = []byte(b.target(page, string(n.Destination), root))
		case *ast.Image:
			from := path.Join(path.Dir(page.Path), string(n.Destination))
			picture, err := fs.ReadFile(b.files, from)
			if err != nil {
				return ast.WalkStop, fmt.Errorf("%s: %w", page.Path, err)
			}
			at := strings.TrimPrefix(from, "docs/")
			out[at] = picture
			n.Destination = []byte(root + at)
		}
		return ast.WalkContinue, nil
	})
	for _, n := range comments {
		n.Parent().RemoveChild(n.Parent(), n)
	}
	for _, n := range breaks { // the only markup in the documents, between the lines of a cell
		line := ast.NewString([]byte("<br>"))
		line.SetCode(true)
		n.Parent().ReplaceChild(n.Parent(), n, line)
	}
	return err
}

func (b *Book) target(from *Page, link, root string) string {
	if isForeign(link) || strings.HasPrefix(link, "#") {
		return link
	}
	to, fragment, hasFragment := strings.Cut(link, "#")
	to = path.Join(path.Dir(from.Path), to)
	address := Sources + to
	if b.Pages[to] != nil {
		address = root + Address(to)
	}
	if hasFragment {
		address += "#" + fragment
	}
	return address
}

// reachable lets the keyboard scroll what is wider than the page. Text never has these tags: it is escaped.
func reachable(html string) template.HTML {
	html = strings.NewReplacer(
		"<table>", `<div class="scroll" tabindex="0" role="group" aria-label="Table"><table>`, "</table>", "</table></div>",
		"<pre>", `<pre tabindex="0">`,
	).Replace(html)
	return template.HTML(html) // #nosec G203 -- rendered from the project's own documents, with raw HTML taken out
}

// sections adds what a search finds on a page.
func (b *Book) sections(page *Page, to []section) []section {
	at := Address(page.Path)
	heading := 0
	for node := page.tree.FirstChild(); node != nil; node = node.NextSibling() {
		if _, ok := node.(*ast.Heading); ok {
			h := page.Headings[heading]
			heading++
			to = append(to, section{ID: len(to), Page: page.Title, Title: h.Text, URL: at + "#" + h.ID})
			continue
		}
		if len(to) == 0 || heading == 0 {
			continue
		}
		to[len(to)-1].Text += allText(node, page.source) + " "
	}
	return to
}

// allText is the text of a node with its blocks, separated by spaces.
func allText(n ast.Node, source []byte) string {
	var out strings.Builder
	_ = ast.Walk(n, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		switch n := n.(type) {
		case *ast.CodeBlock, *ast.FencedCodeBlock:
			if entering {
				out.Write(linesOf(n, source))
			}
		case *ast.Text:
			if entering {
				out.Write(n.Value(source))
			}
			if !entering && n.SoftLineBreak() {
				out.WriteByte(' ')
			}
		default:
			if !entering && n.Type() == ast.TypeBlock {
				out.WriteByte(' ')
			}
		}
		return ast.WalkContinue, nil
	})
	return strings.Join(strings.Fields(out.String()), " ")
}
