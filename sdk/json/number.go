package json

import "github.com/hermes-cdp/hermes-cdp/sdk/internal/guest"

// number reads a number and returns the nearest float64. A number that is too large for a float64 is an error.
func (r *reader) number() float64 {
	start := r.pos
	var n digits
	n.negative = r.take('-')
	first := r.pos
	if !r.take('0') && r.digits(&n, 0) == 0 {
		r.fail(r.pos, "want a digit")
	}
	if r.take('.') && r.digits(&n, -1) == 0 {
		r.fail(r.pos, "want a digit after the point")
	}
	n.text = r.text[first:r.pos]
	if b := r.peek(); b == 'e' || b == 'E' {
		r.pos++
		n.exponent += r.exponent()
	}
	if r.err != nil {
		return 0
	}
	return r.float(&n, start)
}

// float returns the number, unless it is too large, or one slow number too many.
func (r *reader) float(n *digits, start int) float64 {
	value, ok := n.fast()
	if !ok {
		if r.slow++; r.slow > maxSlow {
			r.fail(start, "there are more than "+guest.Decimal(maxSlow)+" numbers with as many digits or as large an exponent as this one")
			return 0
		}
		if value, ok = n.slow(); !ok {
			r.fail(start, "the number is too large")
		}
	}
	if n.negative {
		return -value
	}
	return value
}

// digits reads digits, each of which changes the exponent by step, and returns how many there were.
func (r *reader) digits(n *digits, step int) (count int) {
	for b := r.peek(); b >= '0' && b <= '9'; b = r.peek() {
		n.add(b-'0', step)
		r.pos++
		count++
	}
	return count
}

// maxExponent is more than the digits of any text of [MaxBytes] can make up for.
const maxExponent = 4 * MaxBytes

func (r *reader) exponent() (e int) {
	negative := r.peek() == '-'
	if negative || r.peek() == '+' {
		r.pos++
	}
	count := 0
	for b := r.peek(); b >= '0' && b <= '9'; b = r.peek() {
		if e = 10*e + int(b-'0'); e > maxExponent {
			e = maxExponent
		}
		r.pos++
		count++
	}
	if count == 0 {
		r.fail(r.pos, "want a digit in the exponent")
	}
	if negative {
		return -e
	}
	return e
}
