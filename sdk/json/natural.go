package json

import "math/bits"

// natural is a whole number of any size, with the lowest word first and no zero word at the top.
type natural []uint32

// multiplyAdd replaces n with n times factor, plus summand.
func (n *natural) multiplyAdd(factor, summand uint32) {
	carry := uint64(summand)
	for i := range *n {
		carry += uint64((*n)[i]) * uint64(factor)
		(*n)[i] = uint32(carry)
		carry >>= 32
	}
	if carry > 0 {
		*n = append(*n, uint32(carry))
	}
}

// natural9 collects up to nine digits: adding them one by one takes longer.
type natural9 struct{ digits, power uint32 }

func (c *natural9) add(to *natural, digit byte) {
	if c.power == 0 {
		c.power = 1
	}
	c.digits, c.power = 10*c.digits+uint32(digit), 10*c.power
	if c.power == 1e9 {
		c.flush(to)
	}
}

func (c *natural9) flush(to *natural) {
	if c.power > 1 {
		to.multiplyAdd(c.power, c.digits)
	}
	*c = natural9{}
}

// raise multiplies n by 10^exponent.
func (n *natural) raise(exponent int) {
	for ; exponent >= 9; exponent -= 9 {
		n.multiplyAdd(1e9, 0)
	}
	n.multiplyAdd(uint32(power(exponent)), 0)
}

// bits returns the length in bits; that of 0 is 0.
func (n natural) bits() int {
	if len(n) == 0 {
		return 0
	}
	return 32*len(n) - bits.LeadingZeros32(n[len(n)-1])
}

func (n *natural) shiftLeft(by int) {
	out := make(natural, by/32, len(*n)+by/32+1)
	*n = append(out, *n...)
	n.multiplyAdd(1<<(by%32), 0)
}

func (n *natural) double() { n.multiplyAdd(2, 0) }

func (n natural) less(other natural) bool {
	if len(n) != len(other) {
		return len(n) < len(other)
	}
	for i := len(n) - 1; i >= 0; i-- {
		if n[i] != other[i] {
			return n[i] < other[i]
		}
	}
	return false
}

// subtract subtracts a number that is not larger than n.
func (n *natural) subtract(other natural) {
	all := *n
	var borrow uint32
	for i := range all {
		var word uint32
		if i < len(other) {
			word = other[i]
		}
		all[i], borrow = bits.Sub32(all[i], word, borrow)
	}
	for len(all) > 0 && all[len(all)-1] == 0 {
		all = all[:len(all)-1]
	}
	*n = all
}
