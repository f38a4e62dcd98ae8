// Command publicsuffix reduces the public suffix list (https://publicsuffix.org) to a size for a plugin: a sorted table
// of hashes. Run it in its directory: go run . (-check compares instead of writing).
package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	_ "golang.org/x/net/publicsuffix" // the source of the rules; go.mod pins its version
)

// table is where the result is written.
const table = "../../plugins/examples/ad-frames/suffixes.bin"

func main() {
	check := flag.Bool("check", false, "compare the committed table with the list instead of writing it")
	flag.Parse()
	if err := run(*check); err != nil {
		fmt.Fprintln(os.Stderr, "publicsuffix:", err)
		os.Exit(1)
	}
}

func run(check bool) error {
	rules, err := readRules()
	if err != nil {
		return err
	}
	reduced, kept, err := reduce(rules)
	if err != nil {
		return err
	}
	if !check {
		fmt.Printf("%d of %d rules, %d bytes\n", kept, len(rules), len(reduced))
		return os.WriteFile(table, reduced, 0o644)
	}
	committed, err := os.ReadFile(table)
	if err == nil && !bytes.Equal(committed, reduced) {
		err = errors.New(table + " is not what the list gives; run go run . in tools/publicsuffix")
	}
	return err
}

// readRules reads the rules from the tests of golang.org/x/net/publicsuffix: its own table does not have their names.
func readRules() ([]string, error) {
	dir, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "golang.org/x/net").Output()
	if err != nil {
		return nil, fmt.Errorf("find golang.org/x/net: %w", err)
	}
	path := filepath.Join(strings.TrimSpace(string(dir)), "publicsuffix", "table_test.go")
	file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
	if err != nil {
		return nil, err
	}
	var rules []string
	ast.Inspect(file, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if !ok || spec.Names[0].Name != "rules" {
			return true
		}
		for _, element := range spec.Values[0].(*ast.CompositeLit).Elts {
			rule, _ := strconv.Unquote(element.(*ast.BasicLit).Value)
			rules = append(rules, rule)
		}
		return false
	})
	if len(rules) < 5000 {
		return nil, fmt.Errorf("%s has %d rules, want some 10,000", path, len(rules))
	}
	return rules, nil
}

// hashBytes is how much of a hash is kept: the probability that another name has the hash of a rule is one in 30,000
// million.
const hashBytes = 6

// reduce drops the rules with one label, because any last label is a public suffix unless a rule says otherwise. It
// writes the hashes of the others in ascending order, each with the highest byte first.
func reduce(rules []string) (out []byte, kept int, err error) {
	var hashes []uint64
	for _, rule := range rules {
		if strings.Contains(rule, ".") {
			hashes = append(hashes, hash(rule))
		}
	}
	slices.Sort(hashes)
	for i, h := range hashes {
		if i > 0 && hashes[i-1] == h {
			return nil, 0, errors.New("two rules have the same hash; keep more bytes of it")
		}
		for shift := 8 * (hashBytes - 1); shift >= 0; shift -= 8 {
			out = append(out, byte(h>>shift))
		}
	}
	return out, len(hashes), nil
}

// hash is 64-bit FNV-1a folded to 48 bits. The plugin has the same function.
func hash(s string) uint64 {
	h := uint64(14695981039346656037)
	for i := range len(s) {
		h = (h ^ uint64(s[i])) * 1099511628211
	}
	return (h>>48 ^ h) & (1<<48 - 1)
}
