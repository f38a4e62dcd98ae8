package incident

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/internal/wholefile"
	"github.com/hermes-cdp/hermes-cdp/sdk/sdktest"
)

// table is a golden table as it is written. Its text is kept but for what is added.
type table struct {
	path  string
	text  []byte
	at    int // where a case is to be added: after the last one, or after the bracket
	names map[string]bool
	hook  abi.Hook
}

// TableOf is the golden table of a plugin's directory, or of its testdata; else the path itself.
func TableOf(path string) string {
	for _, table := range []string{Table, filepath.Base(Table)} {
		inside := filepath.Join(path, filepath.FromSlash(table))
		if info, err := os.Stat(inside); err == nil && info.Mode().IsRegular() {
			return inside
		}
	}
	return path
}

// openTable reads a table; where there is none it is an empty one, of the hook.
func openTable(path, hook string) (*table, error) {
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		text, err = []byte("{\n  \"hook\": "+quoted(hook)+",\n  \"cases\": []\n}\n"), nil
	}
	if err != nil {
		return nil, err
	}
	t := &table{path: path, text: text, names: map[string]bool{}}
	var outline sdktest.Table
	if err := json.Unmarshal(text, &outline, json.RejectUnknownMembers(true)); err != nil {
		return nil, fmt.Errorf("golden table %s: %w", path, err)
	}
	t.hook = outline.Hook
	for _, c := range outline.Cases {
		t.names[c.Name] = true
	}
	if t.at, err = endOfCases(text); err != nil {
		return nil, fmt.Errorf("golden table %s: %w", path, err)
	}
	return t, nil
}

// endOfCases finds the place after the last case.
func endOfCases(text []byte) (int, error) {
	decoder := jsontext.NewDecoder(bytes.NewReader(text))
	if _, err := decoder.ReadToken(); err != nil {
		return 0, err
	}
	for decoder.PeekKind() == '"' {
		key, err := decoder.ReadToken()
		if err != nil {
			return 0, err
		}
		if key.String() != "cases" || decoder.PeekKind() != '[' {
			if err := decoder.SkipValue(); err != nil {
				return 0, err
			}
			continue
		}
		if _, err := decoder.ReadToken(); err != nil {
			return 0, err
		}
		end := int(decoder.InputOffset())
		for decoder.PeekKind() != ']' {
			if err := decoder.SkipValue(); err != nil {
				return 0, err
			}
			end = int(decoder.InputOffset())
		}
		return end, nil
	}
	return 0, errors.New(`it has no "cases"`)
}

// free is a name that no case has: the name, or the name with a number.
func (t *table) free(name string) string {
	out := name
	for n := 2; t.names[out]; n++ {
		out = fmt.Sprintf("%s (%d)", name, n)
	}
	return out
}

// add appends a case and writes the file, whole or not at all.
func (t *table) add(c goldenCase) error {
	written, err := json.Marshal(c, jsontext.WithIndentPrefix("    "), jsontext.WithIndent("  "), json.Deterministic(true))
	if err != nil {
		return err
	}
	var out bytes.Buffer
	out.Write(t.text[:t.at])
	if len(t.names) > 0 {
		out.WriteByte(',')
	}
	out.WriteString("\n    ")
	out.Write(written)
	rest := t.text[t.at:]
	if len(t.names) == 0 {
		out.WriteString("\n  ")
		rest = bytes.TrimLeft(rest, " \t\r\n")
	}
	out.Write(rest)
	if err := json.Unmarshal(out.Bytes(), new(sdktest.Table), json.RejectUnknownMembers(true)); err != nil {
		return fmt.Errorf("golden table %s: with the new case it could not be read: %w", t.path, err)
	}
	return wholefile.Edit(t.path, out.Bytes(), 0o644, 0o755)
}
