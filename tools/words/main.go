// Command words finds unclear phrases in the comments, strings and documents of the project, and says what to write
// instead. It also finds comments wider than 120 columns. It skips generated files and testdata. Run it from the root
// of the repository; see the Makefile.
package main

import (
	"bytes"
	_ "embed"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

const widest = 120 // columns of a comment

// A directive, such as go:generate, cannot be wrapped.
var directive = regexp.MustCompile(`^//[a-z]+:\S`)

//go:embed phrases.txt
var list string

type phrase struct {
	pattern *regexp.Regexp
	instead string
}

type finding struct {
	file          string // below the root, with slashes
	line          int
	text, instead string
}

func main() {
	count := flag.Bool("count", false, "only count the findings of each directory")
	flag.Parse()
	found, err := run(".", os.Stdout, *count)
	if err != nil {
		fmt.Fprintln(os.Stderr, "words:", err)
		os.Exit(2)
	}
	if found > 0 {
		os.Exit(1)
	}
}

// run reports the findings below root, and returns their number.
func run(root string, out io.Writer, count bool) (int, error) {
	phrases, err := parsePhrases(list)
	if err != nil {
		return 0, err
	}
	findings, err := search(root, phrases)
	if err != nil {
		return 0, err
	}
	if count {
		of := map[string]int{}
		for _, f := range findings {
			of[path.Dir(f.file)]++
		}
		for _, dir := range slices.Sorted(maps.Keys(of)) {
			fmt.Fprintf(out, "%5d %s\n", of[dir], dir)
		}
		return len(findings), nil
	}
	for _, f := range findings {
		fmt.Fprintf(out, "%s:%d: %s: %s\n", f.file, f.line, f.text, f.instead)
	}
	return len(findings), nil
}

func parsePhrases(list string) ([]phrase, error) {
	var phrases []phrase
	for line := range strings.Lines(list) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		expression, instead, ok := strings.Cut(line, " => ")
		if !ok {
			return nil, fmt.Errorf("phrases.txt: %q does not say what to write instead", line)
		}
		// A line of a comment begins with slashes, and a quoted line of a document with >.
		expression = strings.ReplaceAll(expression, " ", `(?:\s|//|>)+`)
		pattern, err := regexp.Compile("(?im)" + expression)
		if err != nil {
			return nil, fmt.Errorf("phrases.txt: %w", err)
		}
		phrases = append(phrases, phrase{pattern, instead})
	}
	return phrases, nil
}

// search reads every Go file and document below root, in the order of their names.
func search(root string, phrases []phrase) ([]finding, error) {
	var findings []finding
	err := filepath.WalkDir(root, func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() {
			if name != root && (entry.Name() == "testdata" || entry.Name() == "node_modules" || entry.Name()[0] == '.') {
				return filepath.SkipDir
			}
			return nil
		}
		find := inDocument
		switch filepath.Ext(name) {
		case ".go":
			find = inGo
		case ".md":
		default:
			return nil
		}
		source, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		found, err := find(source, phrases)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		below, err := filepath.Rel(root, name)
		if err != nil {
			return err
		}
		slices.SortStableFunc(found, func(a, b finding) int { return a.line - b.line })
		for _, f := range found {
			f.file = filepath.ToSlash(below)
			findings = append(findings, f)
		}
		return nil
	})
	return findings, err
}

func inDocument(source []byte, phrases []phrase) ([]finding, error) {
	return inText(source, 1, phrases), nil
}

func inGo(source []byte, phrases []phrase) ([]finding, error) {
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, "", source, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	if ast.IsGenerated(file) {
		return nil, nil
	}
	var findings []finding
	look := func(node ast.Node) {
		start, end := files.Position(node.Pos()), files.Position(node.End())
		findings = append(findings, inText(source[start.Offset:end.Offset], start.Line, phrases)...)
	}
	for _, group := range file.Comments {
		look(group)
		for _, comment := range group.List {
			findings = append(findings, tooWide(source, files.Position(comment.Pos()), comment.Text)...)
		}
	}
	ast.Inspect(file, func(node ast.Node) bool {
		if literal, ok := node.(*ast.BasicLit); ok && literal.Kind == token.STRING {
			look(literal)
		}
		return true
	})
	return findings, nil
}

// tooWide finds the lines of a comment that are too wide. A tab counts as one column.
func tooWide(source []byte, start token.Position, comment string) []finding {
	if directive.MatchString(comment) {
		return nil
	}
	var findings []finding
	begin := start.Offset - (start.Column - 1)
	for i, line := range strings.Split(string(source[begin:start.Offset])+comment, "\n") {
		if width := utf8.RuneCountInString(strings.TrimSuffix(line, "\r")); width > widest {
			findings = append(findings, finding{line: start.Line + i, text: fmt.Sprintf("%d columns", width),
				instead: fmt.Sprintf("wrap the comment at %d", widest)})
		}
	}
	return findings
}

// inText finds the phrases in a text that starts at the given line.
func inText(text []byte, line int, phrases []phrase) []finding {
	var findings []finding
	for _, p := range phrases {
		for _, at := range p.pattern.FindAllIndex(text, -1) {
			findings = append(findings, finding{
				line:    line + bytes.Count(text[:at[0]], []byte("\n")),
				text:    strings.Join(strings.Fields(string(text[at[0]:at[1]])), " "),
				instead: p.instead,
			})
		}
	}
	return findings
}
