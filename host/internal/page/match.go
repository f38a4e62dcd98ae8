package page

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"

	cdproto "github.com/chromedp/cdproto/cdp"

	"github.com/hermes-cdp/hermes-cdp/internal/misspelt"
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

// names reports whether an element has the name. One that can be acted on and has none is known by what it shows, or by
// its hint.
func (m *Match) names(n *Node) bool {
	if n.Name != "" || !n.Acts {
		return contains(n.Name, m.Name)
	}
	all := []string{n.Hint}
	n.eachWord(func(word string) bool {
		all = append(all, word)
		return true
	})
	return contains(strings.Join(all, " "), m.Name)
}

func contains(text, part string) bool {
	has := func(text string) bool {
		return strings.Contains(strings.ToLower(collapseSpace(text)), strings.ToLower(collapseSpace(part)))
	}
	bare := Unmarked(text)
	return has(text) || bare != text && has(bare)
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

// Named returns the nodes that have a role and a name, of one frame or, without one, of all. The name may be shortened,
// as readings show it; without a name the role is enough. If no node has the name, it returns those without a name that
// show it, as a link around an article does, or have it as their description or their hint, or else those whose name
// differs only in upper and lower case.
func (t *Tree) Named(role, name string, frame cdproto.FrameID) []*Node {
	wanted := collapseSpace(name)
	find := func(is func(*Node) bool) (found []*Node) {
		for _, n := range t.nodes {
			if n.Role == role && n.isIn(frame) && is(n) {
				found = append(found, n)
			}
		}
		return found
	}
	if found := find(func(n *Node) bool { return wanted == "" || n.isNamed(wanted) }); len(found) > 0 {
		return found
	}
	if found := find(func(n *Node) bool {
		return n.Name == "" && (n.shows(wanted) || collapseSpace(n.Description) == wanted) || n.Hint == wanted
	}); len(found) > 0 {
		return found
	}
	return find(func(n *Node) bool { return strings.EqualFold(collapseSpace(n.Name), wanted) })
}

// Like returns the nodes with a role whose name has a name in it, whatever its case, or else the controls of other
// roles that have the name, or those of the role that have no name.
func (t *Tree) Like(role, name string, frame cdproto.FrameID) (found []*Node) {
	part := strings.ToLower(collapseSpace(name))
	if part == "" {
		return nil
	}
	for _, n := range t.nodes {
		if n.Role == role && n.isIn(frame) && strings.Contains(strings.ToLower(collapseSpace(n.Name)), part) {
			found = append(found, n)
		}
	}
	if found != nil {
		return found
	}
	var nameless []*Node
	for _, n := range t.nodes {
		switch {
		case !n.Acts || !n.isIn(frame):
		case strings.ToLower(collapseSpace(n.Name)) == part:
			found = append(found, n)
		case n.Role == role && n.Name == "":
			nameless = append(nameless, n)
		}
	}
	if found != nil {
		return found
	}
	return nameless
}

// LikeText returns elements that show something like a text that is not shown: the same letters, a few others, more or
// less of it, or a word of it. They are the most alike, and what can be acted on comes first.
func (t *Tree) LikeText(text string, frame cdproto.FrameID) []*Node {
	var acting, other [unlike][]*Node
	wanted := strings.ToLower(collapseSpace(text))
	for _, n := range t.nodes {
		if n.Role == roleText || !n.isIn(frame) {
			continue
		}
		best := unlike
		for shown := range strings.SplitSeq(strings.ToLower(cmp.Or(n.Name, n.Value)), blockBreak) {
			best = min(best, likeness(collapseSpace(shown), wanted))
		}
		switch {
		case best == unlike:
		case n.Acts:
			acting[best] = append(acting[best], n)
		default:
			other[best] = append(other[best], n)
		}
	}
	for i := range unlike {
		if found := slices.Concat(acting[i], other[i]); len(found) > 0 {
			return found
		}
	}
	return nil
}

// unlike is the likeness of texts that have nothing in common; that of those with the same letters is 0.
const unlike = 4

// likeness tells how alike two texts in lower case are.
func likeness(shown, wanted string) int {
	letters := func(text string) string { return strings.Join(wordsOf(text), "") }
	a, b := letters(shown), letters(wanted)
	switch short := min(len(a), len(b)); {
	case short < 3 || len(a) > 4*maxAlike:
		return unlike
	case a == b:
		return 0
	case short >= 5 && misspelt.Edits(a, b) <= 2:
		return 1
	case strings.Contains(shown, wanted) || strings.Contains(wanted, shown) && 2*len(a) >= len(b):
		return 2
	case slices.ContainsFunc(wordsOf(shown), func(word string) bool { return len(word) >= 5 && slices.Contains(wordsOf(wanted), word) }):
		return 3
	}
	return unlike
}

// maxAlike is how many letters of a text may be like those of another.
const maxAlike = 60

// wordsOf are the runs of letters and digits in a text.
func wordsOf(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

// isIn reports whether a node is an element in a frame, or without a frame in any.
func (n *Node) isIn(frame cdproto.FrameID) bool {
	return n.Key.Node != 0 && (frame == "" || n.Key.Frame == frame)
}

// Modal returns the last modal dialog of the page; nil if there is none.
func (t *Tree) Modal() *Node {
	for _, n := range slices.Backward(t.nodes) {
		if slices.Contains(n.States, "modal") {
			return n
		}
	}
	return nil
}

// Element asks for the element of a node. Errors: ErrNotFound, and the driver's.
func (n *Node) Element(d Reader) (Element, error) {
	if n.Key.Node < walkedKey {
		return Element{n.Key.Frame, n.Key.Node}, nil
	}
	list, err := describe(d.Context(), d, n.Key.Frame, []cdproto.BackendNodeID{n.Key.Node - walkedKey})
	if err == nil && list[0].ID == 0 {
		err = fmt.Errorf("%w %s any more", ErrNotFound, Describe(n.Role, n.Name))
	}
	if err != nil {
		return Element{}, err
	}
	return Element{n.Key.Frame, list[0].ID}, nil
}

// isNamed reports whether a node has a name, which may be shortened to its beginning and an ellipsis.
func (n *Node) isNamed(wanted string) bool {
	name := collapseSpace(n.Name)
	begin, short := strings.CutSuffix(wanted, "…")
	return name == wanted || short && strings.HasPrefix(name, begin)
}

// shows reports whether a text is all that is below a node, or the name or the value of something there: but for a
// generic, which may be around much else.
func (n *Node) shows(text string) bool {
	words := strings.Fields(n.Value)
	n.eachWord(func(word string) bool {
		words = append(words, word)
		return true
	})
	is := func(said string) bool {
		return collapseSpace(said) == text || n.marked && collapseSpace(Unmarked(said)) == text
	}
	var has func(*Node) bool
	has = func(n *Node) bool {
		return slices.ContainsFunc(n.Children, func(child *Node) bool { return is(child.Name) || is(child.Value) || has(child) })
	}
	return is(strings.Join(words, " ")) || n.Role != "generic" && has(n)
}
