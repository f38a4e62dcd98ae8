package main

import (
	"os"
	"strings"
	"testing"
)

func TestItFindsPhrasesAndSaysWhatToWriteInstead(t *testing.T) {
	var out strings.Builder
	found, err := run("testdata", &out, false)
	if err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile("testdata/findings.txt")
	if err != nil {
		t.Fatal(err)
	}
	if out.String() != string(want) || found != strings.Count(string(want), "\n") {
		t.Errorf("%d findings\n%swant\n%s", found, &out, want)
	}
}

func TestItCountsTheFindingsOfEachDirectory(t *testing.T) {
	var out strings.Builder
	if _, err := run("testdata", &out, true); err != nil {
		t.Fatal(err)
	}
	if want := "    5 .\n    2 below\n"; out.String() != want {
		t.Errorf("got\n%swant\n%s", &out, want)
	}
}

func TestAPhraseNeedsASuggestion(t *testing.T) {
	for _, list := range []string{`\bno suggestion\b`, "( => a parenthesis that is open"} {
		if _, err := parsePhrases(list); err == nil {
			t.Errorf("%q is accepted", list)
		}
	}
}
