package page

import (
	"regexp"
	"strings"
)

// Match says which elements and texts of a tree to look for; what is empty does not matter. Case and runs of white
// space count only for the pattern.
type Match struct {
	Text    string // in the name, the value or the text
	Pattern *regexp.Regexp
	Role    string
	Name    string // a part of the name, or of what an element without one shows
	// Context is how many elements and texts before and after each that is found are written, too. The rest of a short
	// row or list item always is: what it is about, and what can be done with it.
	Context int
}

var (
	units = set("row listitem")
	// maxUnit is how many elements and texts a short one has.
	maxUnit = 20
)

func (m *Match) finds(n *Node) bool {
	if n.Parent == nil || m.Role != "" && n.Role != m.Role || m.Name != "" && (n.Role == roleText || !m.names(n)) {
		return false
	}
	if m.Text != "" && !contains(n.Name, m.Text) && !contains(n.Value, m.Text) {
		return false
	}
	return m.Pattern == nil || m.Pattern.MatchString(collapseSpace(n.Name)) || m.Pattern.MatchString(collapseSpace(n.Value))
}

// names reports whether an element has the name. One that can be acted on and has none is known by what it shows.
func (m *Match) names(n *Node) bool {
	if n.Name != "" || !n.Acts {
		return contains(n.Name, m.Name)
	}
	var all []string
	n.eachWord(func(word string) bool {
		all = append(all, word)
		return true
	})
	return contains(strings.Join(all, " "), m.Name)
}

func contains(text, part string) bool {
	return strings.Contains(strings.ToLower(collapseSpace(text)), strings.ToLower(collapseSpace(part)))
}

// search finds what the match describes, and adds the context to what is wanted.
func (p *printer) search() {
	p.found = make([]bool, len(p.nodes))
	for i, n := range p.nodes {
		p.found[i] = p.wanted[i] && p.Match.finds(n)
	}
	clear(p.wanted)
	for i, n := range p.nodes {
		if !p.found[i] {
			continue
		}
		p.want(i-p.Match.Context, i+p.Match.Context+1)
		for ; p.has(n); n = n.Parent {
			if units[n.Role] && n.below <= maxUnit {
				p.want(p.at(n), p.at(n)+n.below)
			}
		}
	}
}

// want adds a range of nodes to those that are wanted.
func (p *printer) want(from, to int) {
	for i := max(from, 0); i < min(to, len(p.wanted)); i++ {
		p.wanted[i] = true
	}
}

// leadsTo reports whether a node, or a text that it shows, was found, so that it needs a ref to go on with.
func (p *printer) leadsTo(n *Node) bool {
	if p.found == nil || p.found[p.at(n)] {
		return p.found != nil
	}
	for _, child := range n.Children {
		if child.Role == roleText && p.found[p.at(child)] {
			return true
		}
	}
	return false
}
