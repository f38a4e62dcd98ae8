package e2e

import (
	"strings"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host"
)

// Each page of a long table says what its columns are, and by which it is sorted.
func TestEachPageOfATableHasItsHeadings(t *testing.T) {
	w := newWorld(t, map[string]string{"/table": `<h1>Prices</h1><table><thead><tr><th aria-sort=descending>Item<th aria-sort=none>Price<tbody id=rows></table>
<script>rows.innerHTML = Array(400).fill().map((_, i) => "<tr><td>Item " + i + "<td>" + i + " euros").join("")</script>`}, host.TaskOptions{})
	w.open("/table")
	r := w.read(host.ReadOptions{Full: true, Budget: 5000})
	wantLines(t, r, `  - row`, `    - columnheader "Item" [sort=descending]`, `    - columnheader "Price"`)
	for page := 1; page < r.Pages; page++ {
		later := w.read(host.ReadOptions{Full: true, Budget: 5000, Page: page})
		wantLines(t, later, `  - row (repeated)`, `    - columnheader "Item" [sort=descending]`, `    - columnheader "Price"`)
		if strings.Count(later.Text, "columnheader") != 2 || len([]rune(later.Text)) > 5000 {
			t.Errorf("page %d:\n%s", page, later.Text)
		}
	}
	if r.Pages < 3 {
		t.Errorf("there are %d pages", r.Pages)
	}
}
