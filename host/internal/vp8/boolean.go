package vp8

// writer is the boolean entropy encoder of RFC 6386, section 7.3.
type writer struct {
	out    []byte
	width  uint32 // of the interval
	bottom uint32
	space  int // bits until the next byte is complete
}

func newWriter() *writer { return &writer{width: 255, space: 24} }

// bit writes a bit that is false with a probability of prob/256.
func (w *writer) bit(b bool, prob uint8) {
	split := 1 + (w.width-1)*uint32(prob)>>8
	if b {
		w.bottom += split
		w.width -= split
	} else {
		w.width = split
	}
	for w.width < 128 {
		w.width <<= 1
		w.shift()
	}
}

func (w *writer) shift() {
	if w.bottom&(1<<31) != 0 {
		w.carry()
	}
	w.bottom <<= 1
	if w.space--; w.space == 0 {
		w.out = append(w.out, byte(w.bottom>>24))
		w.bottom &= 1<<24 - 1
		w.space = 8
	}
}

// carry adds one to what was written.
func (w *writer) carry() {
	for i := len(w.out) - 1; i >= 0; i-- {
		w.out[i]++
		if w.out[i] != 0 {
			return
		}
	}
}

// number writes the lowest bits of a number, the highest of them first, each as likely as not.
func (w *writer) number(n uint32, bits int) {
	for i := bits - 1; i >= 0; i-- {
		w.bit(n>>i&1 != 0, even)
	}
}

// even is the probability of what is as likely as not.
const even = 128

// finish returns what was written. As many bits as the interval has make it complete.
func (w *writer) finish() []byte {
	for range 32 {
		w.shift()
	}
	return w.out
}
