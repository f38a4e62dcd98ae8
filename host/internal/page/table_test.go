package page

import (
	"fmt"
	"strings"
	"testing"
)

// prices is a table with a row of headings.
func prices(rows int) *Node {
	table := &Node{Role: "table", Name: "Prices", Children: []*Node{{Role: "row", Children: []*Node{
		{Role: "columnheader", Name: "Item"}, {Role: "columnheader", Name: "Price", States: []string{"sort=ascending"}},
	}}}}
	for i := range rows {
		table.Children = append(table.Children, &Node{Role: "row", Children: []*Node{
			{Role: "rowheader", Name: fmt.Sprintf("Item number %d", i)}, {Role: "cell", Value: fmt.Sprintf("%d euros", i)},
		}})
	}
	return table
}

// Whoever reads a page from the middle of a table is told what its columns are.
func TestAPageThatContinuesATableRepeatsItsHeadings(t *testing.T) {
	tree := treeOf(&Node{Role: "heading", Name: "Shop"}, prices(300), &Node{Role: "paragraph", Value: strings.Repeat("The end. ", 200)})
	for _, full := range []bool{true, false} {
		found := map[string]int{}
		for page, pages := 0, 1; page < pages; page++ {
			v, _ := viewOf(tree, 3000, page)
			v.Full = full
			w, err := tree.Write(v)
			if err != nil {
				t.Fatal(err)
			}
			if pages = w.Pages; length(w.Text) > v.Budget {
				t.Errorf("page %d has %d characters", page, length(w.Text))
			}
			for i := range 300 {
				found[fmt.Sprint(i)] += strings.Count(w.Text, fmt.Sprintf("rowheader \"Item number %d\"", i))
			}
			if !strings.Contains(w.Text, "rowheader") {
				continue
			}
			head := "\n  - row (repeated)\n    - columnheader \"Item\"\n    - columnheader \"Price\" [sort=ascending]\n"
			if page == 0 {
				head = strings.Replace(head, " (repeated)", "", 1)
			}
			if strings.Count(w.Text, head) != 1 || strings.Count(w.Text, "columnheader") != 2 {
				t.Errorf("page %d, full %t:\n%s", page, full, w.Text)
			}
		}
		for i := range 300 {
			if found[fmt.Sprint(i)] != 1 {
				t.Errorf("full %t: item %d is there %d times", full, i, found[fmt.Sprint(i)])
			}
		}
	}
}

// What is found in a table stands below the headings of its columns, and other tables bring none.
func TestWhatIsFoundInATableStandsBelowItsHeadings(t *testing.T) {
	plain := &Node{Role: "table", Children: []*Node{{Role: "row", Children: []*Node{{Role: "cell", Value: "needle 1"}}}, {Role: "row", Children: []*Node{{Role: "cell", Value: "hay"}}}}}
	tree := treeOf(prices(300), plain)
	v, _ := viewOf(tree, 3000, 0)
	v.Match = &Match{Text: "150 euros"}
	w, err := tree.Write(v)
	if err != nil || !strings.Contains(w.Text, "- row\n    - columnheader \"Item\"\n    - columnheader \"Price\" [sort=ascending]\n  - row\n    - rowheader \"Item number 150\"\n    * cell") {
		t.Errorf("%v:\n%s", err, w.Text)
	}
	v.Match = &Match{Text: "needle"}
	if w, err := tree.Write(v); err != nil || strings.Contains(w.Text, "columnheader") || !strings.Contains(w.Text, "needle") {
		t.Errorf("%v:\n%s", err, w.Text)
	}
}
