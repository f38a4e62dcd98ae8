package json

import "github.com/hermes-cdp/hermes-cdp/sdk/internal/guest"

// room says how long arrays and objects are, so that each is allocated once. TinyGo's garbage collector finds the
// object that a pointer points into by scanning backwards, so many pointers into a large object (all arrays in one, or
// texts that are parts of the event) would cost more than everything else.
type room struct {
	counts []uint32 // of elements or members, in the order in which arrays and objects begin; at least one
	next   int      // index into counts
}

// measure looks only for brackets and commas, and counts what they separate. It needs to be right only for valid JSON:
// parsing any other text ends with an error, at the latest where measure went wrong.
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
	var open [MaxDepth]int // what is open at each depth, as an index into counts
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
		case depth == 0: // a closing bracket without an opening one, or a comma outside everything
			return false
		case b == ',':
			r.counts[open[depth-1]]++
		default:
			depth--
		}
		return true
	})
}

// marks visits the brackets and commas outside strings, until visit returns false.
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

// length returns the capacity for the next array or object.
func (r *room) length() int {
	if r.next == len(r.counts) {
		return 0 // the text is not JSON; the error will come
	}
	r.next++
	return int(r.counts[r.next-1])
}
