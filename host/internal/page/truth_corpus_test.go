package page

import (
	"archive/zip"
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	cdproto "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/dom"

	"github.com/hermes-cdp/hermes-cdp/host/internal/cdp"
)

// truthReader makes the readings that are compared.
type truthReader struct {
	read func(*corpusTab) (*Tree, error)
	// identify finds the backend node ids of the nodes of a reading.
	identify func(*corpusTab, *Tree) (func(*Node) cdproto.BackendNodeID, error)
}

var readers = map[string]truthReader{
	"Read": {
		read:     func(c *corpusTab) (*Tree, error) { return Read(c, NewRefs(), 0) },
		identify: identifyWalked,
	},
	// What is read where a script cannot read a document.
	"tree": {
		read: func(c *corpusTab) (*Tree, error) {
			r, err := gather(c, 0, content{tree: true, layout: true})
			if err != nil {
				return nil, err
			}
			return build(r), nil
		},
		identify: func(*corpusTab, *Tree) (func(*Node) cdproto.BackendNodeID, error) {
			return func(n *Node) cdproto.BackendNodeID { return n.Key.Node }, nil
		},
	},
}

// identifyWalked asks for the backend node ids of all nodes at once.
func identifyWalked(c *corpusTab, t *Tree) (func(*Node) cdproto.BackendNodeID, error) {
	ids := map[Key]cdproto.BackendNodeID{}
	for _, f := range c.Frames() {
		var numbers []cdproto.BackendNodeID
		for _, n := range t.nodes {
			if n.Key.Frame == f.ID && n.Key.Node > walkedKey && n.Role != roleText {
				numbers = append(numbers, n.Key.Node-walkedKey)
			}
		}
		if len(numbers) == 0 {
			continue
		}
		list, err := describe(c.ctx, c, f.ID, numbers)
		if err != nil {
			return nil, err
		}
		for i, number := range numbers {
			ids[Key{f.ID, f.Document, walkedKey + number}] = list[i].ID
		}
	}
	return func(n *Node) cdproto.BackendNodeID {
		if id, ok := ids[n.Key]; ok {
			return id
		}
		return n.Key.Node
	}, nil
}

// known are the differences that are known, each with its reason. Empty fields match everything.
var known = []struct {
	reader string
	odds
	reason string
}{
	{"", odds{page: "/dijit/tests/form/test_Select.html", role: "option", field: "listed"}, "an option without a name, in a closed list, says nothing"},
	{"Read", odds{role: "text", told: "• "}, "the marker of a list that is none"},
	{"Read", odds{role: "text", told: "◦ "}, "the marker of a list that is none"},
	{"Read", odds{page: "/wpt/wai-aria/manual/combobox_haspopup_tree-manual.html", role: "text", told: "■ "}, "the marker of a list that is none"},
	{"Read", odds{page: "/wpt/accname/name/comp_name_from_content.html", told: "5051"}, "scripts are not told what a counter says"},
	{"Read", odds{page: "/wpt/accname/name/comp_name_from_content.html", told: "5051 label"}, "scripts are not told what a counter says"},
	{"Read", odds{page: "/wpt/accname/name/comp_name_from_content_alt_counter_invalidation.html"}, "scripts are not told what a counter says"},
	{"Read", odds{page: "/wpt/accname/manual/name_file-label-inline-hidden-elements-manual.html", told: "2 46 810"}, "Chromium drops the space between two inline elements"},
	{"Read", odds{page: "/wpt/accname/manual/name_test_case_616-manual.html", role: "text", told: "Submit"}, "what is drawn in a button without its picture"},
	{"Read", odds{page: "/wpt/core-aam/none_used_on_ul_element_with_li_children-manual.html", field: "text"}, "the markers of a list that is none are between its texts"},
	{"Read", odds{page: "/wpt/core-aam/presentation_used_on_ul_element_with_li_children-manual.html", field: "text"}, "the markers of a list that is none are between its texts"},
	{"Read", odds{role: "menu", field: "value"}, "a select that is said to be a menu"},
	{"Read", odds{role: "menuitem", read: "option"}, "a select that is said to be a menu"},
	{"Read", odds{role: "menuitem", read: "selected"}, "a select that is said to be a menu"},
	{"Read", odds{page: "/dijit/tests/form/test_DateTextBox_iframe.html", told: "main", read: "iframe"}, "an element that shows a frame is one, whatever its role is"},
	{"Read", odds{page: "/dijit/tests/_BidiSupport/form/Button.html", role: "button", field: "name"}, "Chromium drops the space between two inline elements"},
	{"Read", odds{page: "/dijit/tests/form/test_verticalAlign.html", role: "button", field: "name"}, "Chromium drops the space between two inline elements"},
}

const corpusDir = "../../../.cache/corpus/node_modules"

// corpus lists the pages by their paths on the server: ours, and those that packages come with.
func corpus(t *testing.T) []string {
	t.Helper()
	var pages []string
	own, err := filepath.Glob("testdata/truth/*.html")
	if err != nil || len(own) == 0 {
		t.Fatalf("%d pages of our own: %v", len(own), err)
	}
	for _, file := range own {
		pages = append(pages, "/own/"+filepath.Base(file))
	}
	for _, file := range webPlatformTests(t).File {
		if path.Ext(file.Name) == ".html" {
			pages = append(pages, "/wpt/"+file.Name)
		}
	}
	for _, from := range []string{"govuk-frontend/dist", "uikit/tests", "foundation-sites/test/visual", "dijit/tests"} {
		err := filepath.WalkDir(filepath.Join(corpusDir, from), func(file string, e fs.DirEntry, err error) error {
			// Robots drive the pages beside them; doh pages are runners of those.
			if err == nil && !e.IsDir() && path.Ext(file) == ".html" && !strings.Contains(file, "robot") && !strings.Contains(file, "doh") {
				pages = append(pages, "/"+filepath.ToSlash(strings.TrimPrefix(file, filepath.FromSlash(corpusDir)+"/")))
			}
			return err
		})
		if err != nil {
			t.Fatalf("%v: run make corpus", err)
		}
	}
	return pages
}

// webPlatformTests are those of the web-platform-tests that are about accessibility; testdata/wpt/README.md says which.
func webPlatformTests(t *testing.T) *zip.ReadCloser {
	t.Helper()
	tests, err := zip.OpenReader("testdata/wpt/wpt.zip")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = tests.Close() })
	return tests
}

// serveCorpus serves the packages and our own pages. Parts of pages are put into whole ones.
func serveCorpus(t *testing.T) string {
	files := http.FileServer(http.Dir(corpusDir))
	own := http.StripPrefix("/own/", http.FileServer(http.Dir("testdata/truth")))
	mux := http.NewServeMux()
	mux.Handle("/own/", own)
	mux.Handle("/wpt/", http.StripPrefix("/wpt/", http.FileServerFS(webPlatformTests(t))))
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		if !strings.HasPrefix(r.URL.Path, "/govuk-frontend/") || path.Ext(r.URL.Path) != ".html" {
			files.ServeHTTP(w, r)
			return
		}
		part, err := os.ReadFile(filepath.Join(corpusDir, filepath.FromSlash(path.Clean(r.URL.Path))))
		if err != nil || bytes.Contains(part, []byte("<html")) {
			files.ServeHTTP(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = fmt.Fprintf(w, `<!doctype html><html lang="en" class="govuk-template"><title>%s</title>
<link rel="stylesheet" href="/govuk-frontend/dist/govuk/govuk-frontend.min.css">
<body class="govuk-template__body js-enabled govuk-frontend-supported">%s
<script type="module">import {initAll} from "/govuk-frontend/dist/govuk/govuk-frontend.min.js"; initAll()</script>`, path.Base(r.URL.Path), part)
	})
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	return server.URL
}

// examined is what was found on a page.
type examined struct {
	tree  *Tree
	roots map[cdproto.FrameID]*said
	found []odds
}

// pageTimeout is how long a page may take. It is generous: pages take a tenth of a second.
const pageTimeout = 2 * time.Minute

// examine reads a page between two looks at the accessibility tree, until those are alike.
func examine(c *corpusTab, url, page string, reader truthReader, used map[string]int) (*examined, error) {
	if err := c.load(url + page); err != nil {
		return nil, err
	}
	for range 20 {
		_, before, err := hearAll(c)
		if err != nil { // a frame has gone meanwhile
			continue
		}
		tree, err := reader.read(c)
		if err != nil {
			return nil, err
		}
		roots, after, err := hearAll(c)
		if err != nil || before != after {
			continue
		}
		identify, err := reader.identify(c, tree)
		if err != nil {
			return nil, err
		}
		e := &examined{tree: tree, roots: roots}
		e.compare(c, page, identify, used)
		return e, nil
	}
	return &examined{found: []odds{{page: page, field: "rest", told: "changes all the time"}}}, nil
}

// hearAll asks for the accessibility trees of all frames.
func hearAll(c *corpusTab) (map[cdproto.FrameID]*said, string, error) {
	roots := map[cdproto.FrameID]*said{}
	var all strings.Builder
	for _, f := range c.Frames() {
		root, text, err := hear(c, f.ID)
		if err != nil {
			return nil, "", err
		}
		roots[f.ID] = root
		all.WriteString(text)
	}
	return roots, all.String(), nil
}

// compare compares all frames but those whose elements are ignored.
func (e *examined) compare(c *corpusTab, page string, identify func(*Node) cdproto.BackendNodeID, used map[string]int) {
	hidden := map[cdproto.FrameID]bool{}
	var all strings.Builder
	for _, root := range e.roots {
		all.WriteString(squash(root.content()) + "\n")
	}
	owners := slices.DeleteFunc(slices.Clone(e.tree.nodes), func(n *Node) bool { return n.Role != "iframe" })
	for _, f := range c.Frames() {
		root := e.roots[f.ID]
		if root == nil {
			continue
		}
		if f.Parent != "" && (hidden[f.Parent] || isHidden(c, e.roots[f.Parent], f)) {
			hidden[f.ID] = true
			used["hidden frame"]++
			continue
		}
		nodes := slices.Collect(func(yield func(*Node) bool) {
			for _, n := range e.tree.nodes {
				if n.Key.Frame == f.ID && !yield(n) {
					return
				}
			}
		})
		if f.Parent == "" && e.tree.Root.Name != root.name {
			e.found = append(e.found, odds{page, "document", "name", root.node, root.name, e.tree.Root.Name})
		}
		one := &comparison{page: page, frames: all.String(), owners: owners, used: used}
		e.found = append(e.found, one.compare(nodes, root, identify)...)
	}
}

func isHidden(c *corpusTab, parent *said, f Frame) bool {
	var owner dom.GetFrameOwnerResult
	if parent == nil || c.call(dom.CommandGetFrameOwner, &dom.GetFrameOwnerParams{FrameID: f.ID}, &owner) != nil {
		return false
	}
	var shown func(s *said) bool
	shown = func(s *said) bool {
		return s.node == owner.BackendNodeID && !s.ignored || slices.ContainsFunc(s.children, shown)
	}
	return !shown(parent)
}

// What a reading says of each element, the accessibility tree says too, and the other way round, but for what the rules
// and the table above explain.
func TestReadingsSayWhatTheAccessibilityTreeSays(t *testing.T) {
	pages := corpus(t)
	if len(pages) < 1500 {
		t.Fatalf("only %d pages", len(pages))
	}
	if os.Getenv("HERMES_CDP_TESTS") != "long" {
		all := slices.Clone(pages)
		pages = slices.DeleteFunc(pages, func(p string) bool { return !always(p) && slices.Index(all, p)%pagesApart != 0 })
	}
	url := serveCorpus(t)
	conn := corpusBrowser(t)
	for name, reader := range readers {
		t.Run(name, func(t *testing.T) {
			used := map[string]int{}
			explained := make([]int, len(known))
			unexplained, nodes, frames, byTree := 0, 0, 0, 0
			eachPage(t, conn, pages, func(c *corpusTab, page string, guard *sync.Mutex) {
				usedHere := map[string]int{}
				e, err := examine(c, url, page, reader, usedHere)
				guard.Lock()
				defer guard.Unlock()
				if err != nil {
					t.Errorf("%s: %v", page, err)
					return
				}
				if e.tree != nil {
					nodes, frames, byTree = nodes+len(e.tree.nodes), frames+len(e.tree.frames), byTree+len(e.tree.told)
				}
				for rule, n := range usedHere {
					used[rule] += n
				}
				for _, o := range e.found {
					if i := explanation(name, o); i >= 0 {
						explained[i]++
						continue
					}
					if unexplained++; unexplained <= 50 {
						t.Error(o)
					}
				}
			})
			t.Logf("%d pages, %d frames of which %d are read from the accessibility tree, %d nodes; %d differences that nothing explains; rules: %v",
				len(pages), frames, byTree, nodes, unexplained, used)
			if name == "Read" && byTree*4 > frames {
				t.Error("more than a quarter of the frames are read from the accessibility tree, which proves nothing of the script")
			}
			for rule, reason := range rules {
				if used[rule] == 0 && (name == "Read" || !slices.Contains([]string{"canvas", "handle", "number in a field", "unseen control"}, rule)) {
					t.Errorf("the rule %q explains nothing: %s", rule, reason)
				}
			}
			for i, n := range explained {
				if n == 0 && (known[i].reader == "" || known[i].reader == name) && (known[i].page == "" || slices.Contains(pages, known[i].page)) {
					t.Errorf("the entry %+v explains nothing", known[i])
				}
			}
		})
	}
}

// pagesApart is how far apart the pages are that the short test reads, but for those that it always reads: our own,
// and the web-platform-tests that run by themselves, which have many cases each.
const pagesApart = 9

func always(page string) bool {
	return strings.HasPrefix(page, "/own/") || strings.HasPrefix(page, "/wpt/") && !strings.Contains(page, "manual")
}

// explanation is the entry of the table that explains a difference; -1: none does.
func explanation(reader string, o odds) int {
	matches := func(want, got string) bool { return want == "" || want == got }
	for i, k := range known {
		if matches(k.reader, reader) && matches(k.page, o.page) && matches(k.role, o.role) && matches(k.field, o.field) && matches(k.told, o.told) && matches(k.read, o.read) {
			return i
		}
	}
	return -1
}

// eachPage visits pages in several tabs.
func eachPage(t *testing.T, conn *cdp.Conn, pages []string, visit func(*corpusTab, string, *sync.Mutex)) {
	t.Helper()
	queue := make(chan string, len(pages))
	for _, page := range pages {
		queue <- page
	}
	close(queue)
	var guard sync.Mutex
	var tabs sync.WaitGroup
	for range min(4, len(pages)) {
		tabs.Go(func() {
			c, err := newCorpusTab(t.Context(), conn)
			if err != nil {
				t.Error(err)
				return
			}
			for page := range queue {
				ctx, cancel := context.WithTimeout(t.Context(), pageTimeout)
				one := *c
				one.ctx = ctx
				visit(&one, page, &guard)
				cancel()
			}
		})
	}
	tabs.Wait()
}

// A difference is found wherever a reading is changed: without that the comparison proves nothing.
func TestAChangedReadingDiffersFromTheAccessibilityTree(t *testing.T) {
	own, err := filepath.Glob("testdata/truth/*.html")
	if err != nil {
		t.Fatal(err)
	}
	for i := range own {
		own[i] = "/own/" + filepath.Base(own[i])
	}
	url, reader := serveCorpus(t), readers["tree"]
	changes := map[string]func(n *Node) bool{
		"role":        func(n *Node) bool { n.Role += "x"; return n.Role != "textx" },
		"name":        func(n *Node) bool { n.Name += " extra"; return true },
		"no name":     func(n *Node) bool { had := n.Name != "" && n.Role != "text"; n.Name = ""; return had },
		"value":       func(n *Node) bool { n.Value += " extra"; return n.Role != "text" },
		"state":       func(n *Node) bool { n.States = append(slices.Clone(n.States), "disabled"); return n.Role != "text" },
		"no state":    func(n *Node) bool { had := len(n.States) > 0; n.States = nil; return had },
		"element":     func(n *Node) bool { n.Key.Node += 1 << 40; return n.Role != "text" },
		"description": func(n *Node) bool { n.Description += " extra"; return n.Acts },
		"url":         func(n *Node) bool { had := n.URL != ""; n.URL = "/elsewhere"; return had },
		"acts":        func(n *Node) bool { had := n.Focused; n.Focused = !n.Focused; return had },
	}
	tried := map[string]int{}
	eachPage(t, corpusBrowser(t), own, func(c *corpusTab, page string, guard *sync.Mutex) {
		e, err := examine(c, url, page, reader, map[string]int{})
		if err != nil || len(e.found) > 0 {
			t.Errorf("%s: %v, %v", page, e, err)
			return
		}
		guard.Lock()
		defer guard.Unlock()
		identify := func(n *Node) cdproto.BackendNodeID { return n.Key.Node }
		for _, n := range e.tree.nodes {
			if n.Key.Frame != c.tab {
				continue
			}
			for what, change := range changes {
				before := *n
				did := change(n)
				e.found = nil
				e.compare(c, page, identify, map[string]int{})
				if did && len(e.found) == 0 {
					t.Errorf("%s: a changed %s of %s %q (value %q) is not found", page, what, before.Role, before.Name, before.Value)
				}
				if did {
					tried[what]++
				}
				*n = before
			}
		}
	})
	for what := range changes {
		if tried[what] == 0 {
			t.Errorf("no %s was changed", what)
		}
	}
	t.Log(tried)
}
