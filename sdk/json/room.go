package json

import "github.com/hermes-cdp/hermes-cdp/sdk/internal/guest"

// room says how long arrays and objects are, so that each is allocated once. TinyGo's garbage collector finds the object that
// a pointer leads into by going back through it, so that many pointers into a large one (all arrays in one, or texts that
// are parts of the event) would cost more than all the rest.
type room struct {
	counts []uint32 // of elements or members, by the order in which arrays and objects begin; at least one
	next   int      // of counts
}

// measure looks for brackets and commas alone, and counts what they separate. It only has to be right for a text that is JSON: reading
// any other ends with an error, at the latest where measuring went wrong.
func (r *reader) measure() {
	containers, separators := 0, 0
	r.marks(func(b byte, _ int) bool {
		switch b {
		case '[', '{':
			containers++
		case ',':
			separators++
		}
		return true
	})
	if containers+separators+1 > MaxValues {
		r.fail(0, "there are more than "+guest.Decimal(MaxValues)+" values")
		return
	}
	r.counts = make([]uint32, 0, containers)
	r.count()
}

// count fills in counts.
func (r *reader) count() {
	var open [MaxDepth]int // what is open at each depth, by its place in counts
	depth := 0
	r.marks(func(b byte, at int) bool {
		switch {
		case (b == '[' || b == '{') && depth == MaxDepth:
			r.fail(at, "it nests deeper than "+guest.Decimal(MaxDepth))
			return false
		case b == '[' || b == '{':
			open[depth] = len(r.counts)
			depth++
			r.counts = append(r.counts, 1)
		case depth == 0: // a closing bracket without its opening one, or a comma outside of everything
			return false
		case b == ',':
			r.counts[open[depth-1]]++
		default:
			depth--
		}
		return true
	})
}

// marks visits brackets and commas outside of texts, until visit is false.
func (r *reader) marks(visit func(b byte, at int) bool) {
	for i := 0; i < len(r.text); i++ {
		switch b := r.text[i]; b {
		case '"':
			for i++; i < len(r.text) && r.text[i] != '"'; i++ {
				if r.text[i] == '\\' {
					i++
				}
			}
		case '[', '{', ']', '}', ',':
			if !visit(b, i) {
				return
			}
		}
	}
}

// length is how many elements or members the next array or object has room for.
func (r *room) length() int {
	if r.next == len(r.counts) {
		return 0 // the text is no JSON; the error comes
	}
	r.next++
	return int(r.counts[r.next-1])
}
