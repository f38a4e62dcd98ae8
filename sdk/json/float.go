package json

import (
	"math"
	"math/bits"
)

// fastDigits is how many digits always fit into a uint64, and also the largest power of ten that fits.
const fastDigits = 19

// digits is a decimal number that becomes a float64: its digits x 10^exponent.
type digits struct {
	first    uint64 // the first [fastDigits] digits
	count    int    // without leading zeros
	exponent int
	negative bool
	text     string // all digits, with the point
}

// add adds a digit; step is its change of the exponent: 0 before the point, -1 after it.
func (n *digits) add(digit byte, step int) {
	n.exponent += step
	if n.count == 0 && digit == 0 {
		return
	}
	if n.count++; n.count <= fastDigits {
		n.first = 10*n.first + uint64(digit)
	}
}

// fast returns the nearest float64, ties to even, if a few instructions are enough: for all numbers except those with
// more than 19 digits and those that are very large or very small.
func (n *digits) fast() (value float64, ok bool) {
	switch {
	case n.count == 0 || n.count+n.exponent < -330: // 0 is the nearest float64
		return 0, true
	case n.count > fastDigits || n.exponent < -fastDigits || n.exponent > fastDigits:
		return 0, false
	case n.exponent < 0:
		return n.divided(power(-n.exponent))
	default:
		return n.multiplied(power(n.exponent))
	}
}

func power(exponent int) uint64 {
	value := uint64(1)
	for range exponent {
		value *= 10
	}
	return value
}

func (n *digits) divided(by uint64) (value float64, ok bool) {
	above, below := bits.LeadingZeros64(n.first), bits.LeadingZeros64(by)
	first := n.first << above
	quotient, remainder := bits.Div64(first>>1, first<<63, by<<below)
	return compose(quotient, below-above, remainder != 0)
}

func (n *digits) multiplied(by uint64) (value float64, ok bool) {
	high, low := bits.Mul64(n.first, by)
	if high == 0 {
		return compose(low, 63, false)
	}
	zeros := bits.LeadingZeros64(high)
	return compose(high<<zeros|low>>(64-zeros), 127-zeros, low<<zeros != 0)
}

const (
	// maxSlow is how many slow numbers a text may have. Otherwise a page could make a module run out of time.
	maxSlow = 100
	// maxDigits is how many digits of a number count: no float64, and nothing halfway between two, has more than 767. Of
	// the digits after these it only matters whether one is not 0.
	maxDigits = 800
)

// slow is fast for all other numbers; ok is false if the number is too large. It divides two whole numbers of any
// length, bit by bit.
func (n *digits) slow() (value float64, ok bool) {
	if n.count+n.exponent > 310 {
		return 0, false
	}
	above, exponent := n.whole()
	below := natural{1}
	if exponent > 0 {
		above.raise(exponent)
	} else {
		below.raise(-exponent)
	}
	// above / below x 2^-shift must be between 1/2 and 2.
	shift := above.bits() - below.bits()
	if shift > 0 {
		below.shiftLeft(shift)
	} else {
		above.shiftLeft(-shift)
	}
	var quotient uint64
	for range 64 {
		quotient <<= 1
		if !above.less(below) {
			above.subtract(below)
			quotient |= 1
		}
		above.double()
	}
	return compose(quotient, shift, len(above) > 0)
}

// whole returns the digits as a whole number, and its exponent.
func (n *digits) whole() (whole natural, exponent int) {
	var next natural9
	count, lost, exponent := 0, false, n.exponent
	for _, b := range []byte(n.text) {
		switch {
		case b == '.', count == 0 && b == '0':
		case count < maxDigits:
			next.add(&whole, b-'0')
			count++
		default:
			exponent++
			lost = lost || b != '0'
		}
	}
	if lost { // the number is a little larger than what was kept
		next.add(&whole, 1)
		exponent--
	}
	next.flush(&whole)
	return whole, exponent
}

// compose returns the float64 for quotient x 2^(shift-63), which is a little larger if there is a remainder. ok is
// false if it would be infinite.
func compose(quotient uint64, shift int, remainder bool) (value float64, ok bool) {
	zeros := bits.LeadingZeros64(quotient)
	quotient <<= zeros
	exponent := shift - zeros // of the first bit
	drop := 64 - 53
	if exponent < -1022 { // a subnormal number has fewer bits
		drop += -1022 - exponent
	}
	if drop > 64 {
		return 0, true
	}
	kept, rest, half := uint64(0), quotient, uint64(1)<<(drop-1)
	if drop < 64 {
		kept, rest = quotient>>drop, quotient&(1<<drop-1)
	}
	if rest > half || rest == half && (remainder || kept&1 == 1) {
		kept++
	}
	switch {
	case exponent < -1022:
		return math.Float64frombits(kept), true // rounded up to 2^52, it is the smallest normal number
	case kept == 1<<53:
		kept >>= 1
		exponent++
	}
	if exponent > 1023 {
		return 0, false
	}
	return math.Float64frombits(uint64(exponent+1023)<<52 | kept&(1<<52-1)), true
}
