package supervise_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// mutant is a deliberate fault: a piece of one source file that is replaced by another.
type mutant struct {
	breaks, file, from, to string
}

// parseMutant reads a file of testdata/mutants: a sentence on what breaks, "file: name", and the two texts.
func parseMutant(text string) (mutant, error) {
	head, rest, ok := strings.Cut(text, "-- from --\n")
	from, to, ok2 := strings.Cut(rest, "-- to --\n")
	breaks, file, ok3 := strings.Cut(strings.TrimSpace(head), "\nfile: ")
	if !ok || !ok2 || !ok3 || from == "" {
		return mutant{}, errors.New(`a mutant is a sentence, a line "file: name", "-- from --", a text, "-- to --", a text`)
	}
	return mutant{breaks, file, from, to}, nil
}

// TestMutants holds the tests to their purpose: for each fault, built in through an overlay, some of them fail.
func TestMutants(t *testing.T) {
	files, err := filepath.Glob("testdata/mutants/*.txt")
	if err != nil || len(files) < 8 {
		t.Fatalf("%d mutants: %v", len(files), err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			t.Parallel() // as many as there are processors
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			m, err := parseMutant(string(text))
			if err != nil {
				t.Fatal(err)
			}
			m.kill(t)
		})
	}
}

func (m mutant) kill(t *testing.T) {
	t.Helper()
	source, err := os.ReadFile(m.file)
	if err != nil {
		t.Fatal(err)
	}
	if n := bytes.Count(source, []byte(m.from)); n != 1 {
		t.Fatalf("the text to replace is %d times in %s: make it fit the source again, so that the mutant still does what it says: %s", n, m.file, m.breaks)
	}
	args := []string{
		"test", "-overlay=" + m.overlay(t, source), "-vet=off", "-count=1", "-timeout=60s",
		"-run=^Test[^M]", "-failfast", "-rapid.nofailfile", "-rapid.shrinktime=0s", "-rapid.checks=100", ".",
	}
	out, err := exec.Command("go", args...).CombinedOutput()
	var exit *exec.ExitError
	switch {
	case err == nil:
		t.Errorf("every test passes although: %s", m.breaks)
	case !errors.As(err, &exit), bytes.Contains(out, []byte("[build failed]")), bytes.Contains(out, []byte("[setup failed]")):
		t.Errorf("the mutant could not be tested: %v\n%s", err, out)
	case !bytes.Contains(out, []byte("--- FAIL")) && !bytes.Contains(out, []byte("panic:")):
		t.Errorf("the tests ended without a failure: %v\n%s", err, out)
	}
}

// overlay writes the mutated source beside the real one, for go build -overlay.
func (m mutant) overlay(t *testing.T, source []byte) string {
	t.Helper()
	dir := t.TempDir()
	mutated := filepath.Join(dir, m.file)
	original, err := filepath.Abs(m.file)
	if err != nil {
		t.Fatal(err)
	}
	replace, err := json.Marshal(map[string]map[string]string{"Replace": {original: mutated}})
	if err != nil {
		t.Fatal(err)
	}
	overlay := filepath.Join(dir, "overlay.json")
	for name, content := range map[string][]byte{
		mutated: bytes.Replace(source, []byte(m.from), []byte(m.to), 1), overlay: replace,
	} {
		if err := os.WriteFile(name, content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return overlay
}
