package incident

import (
	"bytes"
	"fmt"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"

	"github.com/hermes-cdp/hermes-cdp/internal/wholefile"
)

// testFile is the test that is made where a directory has none.
const testFile = "golden_test.go"

// goTest is a test file to be written; without a path none is needed.
type goTest struct{ path, text string }

// testFor gives the test that runs the table, for a directory with Go sources of which no test does it yet.
func testFor(dir string) (goTest, error) {
	sources, err := filepath.Glob(filepath.Join(quotedGlob(dir), "*.go"))
	if err != nil {
		return goTest{}, err
	}
	name := ""
	for _, path := range sources {
		text, err := os.ReadFile(path)
		if err != nil {
			return goTest{}, err
		}
		if !strings.HasSuffix(path, "_test.go") {
			file, err := parser.ParseFile(token.NewFileSet(), path, text, parser.PackageClauseOnly)
			if err != nil {
				return goTest{}, fmt.Errorf("a test for the golden table needs the name of the package: %w", err)
			}
			name = file.Name.Name
			continue
		}
		if bytes.Contains(text, []byte(Table)) {
			return goTest{}, nil
		}
	}
	if name == "" {
		return goTest{}, nil
	}
	path := filepath.Join(dir, testFile)
	if _, err := os.Stat(path); err == nil {
		return goTest{}, fmt.Errorf("%s does not run %s: add sdktest.Run(t, %q, sdktest.Native) to a test", path, Table, Table)
	}
	return goTest{path, strings.ReplaceAll(testSource, "PACKAGE", name)}, nil
}

func (t goTest) write() error {
	if t.path == "" {
		return nil
	}
	return wholefile.Edit(t.path, []byte(t.text), 0o644, 0o755)
}

// quotedGlob keeps a directory's name from being read as a pattern.
func quotedGlob(dir string) string {
	if os.PathSeparator == '\\' {
		return dir // Windows has no escapes in patterns
	}
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(dir)
}

const testSource = `//go:build !(tinygo.wasm || wasip1)

package PACKAGE

import (
	"testing"

	"github.com/hermes-cdp/hermes-cdp/sdk/sdktest"
)

func TestGoldenTable(t *testing.T) { sdktest.Run(t, "testdata/golden.json", sdktest.Native) }
`
