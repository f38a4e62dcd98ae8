package page

import (
	"slices"
	"sync"
)

// divisions are how a tree was last divided into pages. An agent that reads a page again while nothing changes, or asks
// for the next part of it, gets it from them: to divide a large tree takes longer than all that is asked of its page.
type divisions struct {
	mu   sync.Mutex
	last []division // the latest last
}

// maxDivisions is how many are kept: agents ask for the short form and the full one, of the whole page or a part.
const maxDivisions = 4

type division struct {
	by     divisionKey
	sheets []sheet
	heads  map[*Node]*Node
}

// sheet is what a page shows: the positions of nodes in the part that is written, in order.
type sheet []int32

func sheetOf(shown []bool) sheet {
	var s sheet
	for at, is := range shown {
		if is {
			s = append(s, int32(at))
		}
	}
	return slices.Clip(s)
}

func (s sheet) has(at int) bool {
	_, is := slices.BinarySearch(s, int32(at))
	return is
}

// divisionKey is all that a division depends on besides the tree, where nothing is compared and nothing is looked for.
type divisionKey struct {
	full        bool
	room, width int
	scope       *Node
}

// of divides what a printer is to write, unless that was done before.
func (d *divisions) of(p *printer) []sheet {
	if p.Change != nil || p.Match != nil {
		return p.divide()
	}
	key := divisionKey{p.Full, p.room, p.width, p.Scope}
	d.mu.Lock()
	defer d.mu.Unlock()
	if i := slices.IndexFunc(d.last, func(known division) bool { return known.by == key }); i >= 0 {
		p.heads = d.last[i].heads
		return d.last[i].sheets
	}
	sheets := p.divide()
	d.last = append(d.last, division{key, sheets, p.heads})
	if len(d.last) > maxDivisions {
		d.last = slices.Delete(d.last, 0, 1)
	}
	return sheets
}
