// Package architecture_test checks the packages against docs/architecture.md: who may import whom, and what is pure.
package architecture_test

import (
	"crypto/sha256"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const (
	root   = "../.."
	module = "github.com/hermes-cdp/hermes-cdp"
)

// A rule lists what packages may import of this module. Patterns are those of the go command: host is one package, and
// host/... includes everything below it. The first rule that matches a package applies to it.
var rules = []struct{ packages, may string }{
	// The contract, and what compiles into guests.
	{"abi/...", "abi/... internal/strictjson"},
	{"sdk/...", "abi/... sdk/... internal/strictjson"},
	{"plugins/internal/...", "abi/... sdk/... plugins/... host/module/..."}, // the builder of the modules
	{"plugins/...", "abi/... sdk/..."},

	// The codes of errors, the pure packages, and those that know nothing of the rest of the host.
	{"host/route", "host/fault"},
	{"host/internal/supervise", "abi internal/pagetext internal/scheme host/route"},
	{"host/internal/schedule", "abi internal/scheme host/internal/supervise"},
	{"host/internal/sim", "abi host/internal/supervise"},
	{"host/internal/cdp", ""},
	{"host/fault", ""},
	{"host/internal/page/geometry", ""},
	{"host/internal/page/input", "host/fault internal/... host/internal/page host/internal/page/geometry host/internal/page/query"},
	{"host/internal/page/script", "host/fault host/internal/page"},
	{"host/internal/page/query", "host/fault internal/pagetext host/internal/page"},
	{"host/internal/page", "host/fault internal/... host/internal/page/geometry"},
	{"host/internal/plugin/guestio", "abi"},
	{"host/internal/privatedir", ""},
	{"host/internal/lasturl", ""},
	{"host/internal/plugin/...", "abi/... host/fault internal/... host/internal/plugin/... host/internal/filelock host/internal/privatedir host/internal/procgroup host/internal/proctable host/internal/span"},

	// The owner of a connection, what is done on pages over it, and the types that both share with users of the Go API.
	{"host/view", "abi host/fault host/internal/supervise internal/misspelt"},
	{"host/internal/endpoint", "host/fault host/internal/browser host/internal/cdp"},
	{"host/internal/download", "host/internal/cdp internal/pagetext"},
	{"host/internal/engine/decode", "abi host/route internal/secret host/internal/cdp host/internal/download host/internal/supervise"},
	{"host/internal/engine/netlog", "abi host/fault host/route host/view internal/secret host/internal/cdp host/internal/engine/decode host/internal/supervise"},
	{"host/internal/engine/emulate", "host/internal/supervise host/view"},
	{"host/internal/engine/hooks", "abi abi/abijson host/fault internal/pagetext internal/secret host/internal/engine/decode host/internal/plugin/... host/internal/supervise"},
	{"host/internal/engine/loading", "host/internal/cdp host/internal/supervise"},
	{"host/internal/engine/screencast", "host/internal/cdp"},
	{"host/internal/engine/timers", "host/internal/supervise"},
	{"host/internal/engine", "abi abi/abijson host/fault host/route host/view internal/... host/internal/..."},
	{"host/act", "abi internal/... host/fault host/view host/internal/..."},
	{"host/internal/rawcdp", "host/act host/fault host/view internal/... host/internal/..."},
	{"host/internal/plugintool", "abi/... internal/pagetext host/act host/fault host/internal/..."},
	{"host/internal/taskstate", "abi host/view"},
	{"host/internal/keylock", ""},
	{"host/internal/rental", "host/fault host/provider host/internal/cdp host/internal/engine host/internal/lease"},
	{"host/internal/record", "host/view host/internal/..."},
	{"host/internal/storagestate", "host/fault"},

	{"host/internal/e2e/...", "abi/... internal/... host/... plugins/..."}, // drive the whole host
	{"host/internal/...", "abi/... host/fault internal/... host/internal/..."},

	// The host and what stands on it, each on those above it.
	{"host/module", "abi/... host/internal/..."},
	{"host/module/plugintest", "abi/... sdk/sdktest host/module"}, // runs a built module as the host does
	{"host/provider/providertest", ""},
	{"host/provider", "host/fault internal/... host/provider/providertest"}, // the fake is for its tests
	{"host", "abi/... internal/... host/act host/fault host/provider host/route host/view host/internal/... host/module plugins"},
	{"host/sigstore/sigstoretest", ""},
	{"host/sigstore", "host host/sigstore/sigstoretest"}, // the instance is for its tests
	{"host/agent/camofox", "internal/... host/agent host/fault host/provider"},
	{"host/agent/internal/toolschema", "internal/pagetext"},
	{"host/agent/internal/result", "internal/pagetext host host/fault"},
	{"host/agent/browsertool/toolkit", "internal/... host host/fault host/agent/internal/result"},
	{"host/agent/browsertool/move", "internal/... host host/agent/internal/result host/agent/browsertool/toolkit host/agent/browsertool/look"},
	{"host/agent/browsertool", "internal/... host host/agent/internal/result host/agent/browsertool/..."},
	{"host/agent/browsertool/...", "internal/... host host/agent/internal/result host/agent/browsertool/toolkit"},
	{"host/agent/...", "internal/... host host/fault host/internal/... host/agent/..."},
	{"host/replay", "abi/... host host/internal/... host/module sdk/sdktest"},
	{"host/hosttest", "host/internal/..."},
	{"host/server/...", "abi/... internal/... host host/fault host/provider host/agent/... host/module host/replay host/server/..."},

	{"internal/...", "internal/..."},
	{"tools/book", "internal/book"},
	{"tools/...", ""},
	{"cmd/hermes-cdp/internal/config", "abi host/fault internal/..."}, // what is configured, whoever does it
	{"cmd/...", "..."},
	{".", ""}, // embeds sources
}

// Every package imports only what its rule allows, on every system: build constraints are ignored.
func TestImportsRunOneWay(t *testing.T) {
	for name, files := range packages(t) {
		i := slices.IndexFunc(rules, func(r struct{ packages, may string }) bool { return matches(r.packages, name) })
		if i < 0 {
			t.Errorf("%s has no rule: say in this file what it may import", name)
			continue
		}
		for _, imported := range imports(files) {
			own, isOwn := strings.CutPrefix(imported, module)
			own = strings.TrimPrefix(own, "/")
			if isOwn && !slices.ContainsFunc(strings.Fields(rules[i].may), func(p string) bool { return matches(p, own) }) {
				t.Errorf("%s imports %q; it may import %q of this module", name, own, rules[i].may)
			}
		}
	}
}

// pure are the packages whose functions depend on nothing but their arguments. [State.Apply] is given the time.
var pure = []string{"host/internal/supervise", "host/internal/schedule", "host/internal/sim", "host/internal/engine/decode", "host/internal/engine/emulate", "host/internal/engine/hooks"}

var (
	impure = []string{
		"bufio", "context", "crypto/rand", "io", "io/...", "log", "log/...", "math/rand", "math/rand/...", "net", "net/http/...",
		"os", "os/...", "runtime", "runtime/...", "sync", "sync/...", "syscall", "testing", "unsafe",
	}
	clock = regexp.MustCompile(`^(Now|Since|Until|Sleep|After|AfterFunc|Tick|NewTimer|NewTicker)$`)
)

// A pure package accesses nothing outside it, reads no clock, and has no goroutines, channels or locks.
func TestThePureStaysPure(t *testing.T) {
	all := packages(t)
	for _, name := range pure {
		for _, imported := range imports(all[name]) {
			if slices.ContainsFunc(impure, func(p string) bool { return matches(p, imported) }) {
				t.Errorf("%s imports %q, and is pure", name, imported)
			}
		}
		for file, tree := range all[name] {
			ast.Inspect(tree, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.GoStmt, *ast.SelectStmt, *ast.ChanType:
					t.Errorf("%s has a %T, and is pure", file, n)
				case *ast.SelectorExpr:
					if of, ok := n.X.(*ast.Ident); ok && of.Name == "time" && clock.MatchString(n.Sel.Name) {
						t.Errorf("%s calls time.%s, and is pure", file, n.Sel.Name)
					}
				}
				return true
			})
		}
	}
}

// The table of docs/architecture.md has every package, and no others.
func TestTheDocumentationHasEveryPackage(t *testing.T) {
	page, err := os.ReadFile(filepath.Join(root, "docs", "architecture.md"))
	if err != nil {
		t.Fatal(err)
	}
	left := packages(t)
	delete(left, ".")
	for _, line := range regexp.MustCompile("(?m)^\\| `(.+?)` \\|").FindAllSubmatch(page, -1) {
		name := string(line[1])
		if left[name] == nil {
			t.Errorf("docs/architecture.md has a line for %s, which is not a package or has two", name)
		}
		delete(left, name)
	}
	for name := range left {
		t.Errorf("docs/architecture.md has no line for %s", name)
	}
}

// matches reports whether a package is among those of a pattern.
func matches(pattern, name string) bool {
	if above, ok := strings.CutSuffix(pattern, "..."); ok {
		return strings.HasPrefix(name+"/", above)
	}
	return pattern == name
}

// packages parses the files of each package except its tests. A package that has only tests has no files. Nested
// modules are left out.
func packages(t *testing.T) map[string]map[string]*ast.File {
	t.Helper()
	found := map[string]map[string]*ast.File{}
	tree := os.DirFS(root)
	err := fs.WalkDir(tree, ".", func(file string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir():
			_, nested := fs.Stat(tree, path.Join(file, "go.mod"))
			if file != "." && (nested == nil || entry.Name() == "testdata" || strings.HasPrefix(entry.Name(), ".")) {
				return fs.SkipDir
			}
		case path.Ext(file) == ".go":
			dir := path.Dir(file)
			if found[dir] == nil {
				found[dir] = map[string]*ast.File{}
			}
			if strings.HasSuffix(file, "_test.go") {
				return nil
			}
			parsed, err := parser.ParseFile(token.NewFileSet(), filepath.Join(root, filepath.FromSlash(file)), nil, parser.SkipObjectResolution)
			if err != nil {
				return err
			}
			found[dir][file] = parsed
		}
		return nil
	})
	if err != nil || len(found) < 50 {
		t.Fatalf("%d packages: %v", len(found), err)
	}
	return found
}

// imports lists what a package imports, each once.
func imports(files map[string]*ast.File) []string {
	var list []string
	for _, file := range files {
		for _, spec := range file.Imports {
			imported, _ := strconv.Unquote(spec.Path.Value) // it was parsed
			list = append(list, imported)
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

func TestTheDrawingIsOfItsSource(t *testing.T) {
	source, err := os.ReadFile("../../docs/architecture.mmd")
	if err != nil {
		t.Fatal(err)
	}
	drawing, err := os.ReadFile("../../docs/architecture.svg")
	if err != nil {
		t.Fatal(err)
	}
	if digest := fmt.Sprintf("<!-- of %x -->", sha256.Sum256(source)); !strings.Contains(string(drawing), digest) {
		t.Errorf("docs/architecture.svg is not of docs/architecture.mmd: run make drawing")
	}
}
