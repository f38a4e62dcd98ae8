package page

var (
	tableNames = set("table grid treegrid")
	cellNames  = set("cell gridcell columnheader rowheader")
)

// headings is the row that names the columns of the table that a node is in, with all that is in it, as far as it comes
// before the node and is not shown; nil: there is none, or it would take much of a page.
func (p *printer) headings(n *Node, shown []bool) []*Node {
	table := n.Parent
	for table != nil && !tableNames[table.Role] {
		table = table.Parent
	}
	if table == nil || !p.has(table) {
		return nil
	}
	row := p.headRow(table)
	if row == nil || row.index+row.below > n.index || shown[p.at(row)] {
		return nil
	}
	head := p.nodes[p.at(row):][:row.below]
	if p.costOf(head)+length(headMark) > p.room/4 {
		return nil
	}
	return head
}

// headRow is the first row of a table if most of its cells are headings of columns; nil: it has none.
func (p *printer) headRow(table *Node) *Node {
	if row, known := p.heads[table]; known {
		return row
	}
	var head *Node
	for _, n := range p.nodes[p.at(table):][:table.below] {
		if n.Role != "row" {
			continue
		}
		if n.namesColumns() {
			head = n
		}
		break
	}
	p.heads[table] = head
	return head
}

func (n *Node) namesColumns() bool {
	named, cells := 0, 0
	for _, cell := range n.Children {
		if cellNames[cell.Role] {
			cells++
		}
		if cell.Role == "columnheader" {
			named++
		}
	}
	return 2*named > cells
}

// headMark marks a row of headings that an earlier page has, too.
const headMark = " (repeated)"

// noteRepeated notes which of the rows of headings that a page shows an earlier one has.
func (p *printer) noteRepeated(sheets []sheet) {
	p.again = map[*Node]bool{}
	for _, row := range p.heads {
		if row == nil {
			continue
		}
		for _, earlier := range sheets[:min(p.Page, len(sheets))] {
			p.again[row] = p.again[row] || earlier.has(p.at(row))
		}
	}
}
