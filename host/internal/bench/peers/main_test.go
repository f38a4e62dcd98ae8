package main

import (
	"strings"
	"testing"
)

func TestTheTableHasMediansAndRatios(t *testing.T) {
	results := table{}
	for _, v := range []float64{9, 2, 1} {
		results.add(rows[0], "one", v)
		results.add(rows[0], "two", 2*v)
	}
	var out strings.Builder
	results.write(&out, []string{"one", "two", "three"})
	if want := "| " + rows[0] + " | 2 ms | 4 ms (2) | |\n"; !strings.Contains(out.String(), want) {
		t.Errorf("%q is not in\n%s", want, out.String())
	}
}
