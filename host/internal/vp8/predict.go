package vp8

// mode is how a macroblock is predicted from those around it: RFC 6386, section 12.2.
type mode int

const (
	average    mode = iota // of the pixels above and to the left
	vertical               // each column is the pixel above
	horizontal             // each row is the pixel to the left
)

// origin is the index of the first pixel of a macroblock.
func (p *plane) origin(mbx, mby int) int { return (mby*p.stride + mbx) * p.side }

// choose returns the mode that comes closest. At the edges of the picture, what is beyond them is not used.
func (p *plane) choose(mbx, mby int) mode {
	best, least := average, p.miss(p.guess(average, mbx, mby), mbx, mby)
	try := func(m mode) {
		if miss := p.miss(p.guess(m, mbx, mby), mbx, mby); miss < least {
			best, least = m, miss
		}
	}
	if mby > 0 {
		try(vertical)
	}
	if mbx > 0 {
		try(horizontal)
	}
	return best
}

// miss adds up by how much a guess is wrong.
func (p *plane) miss(guess []byte, mbx, mby int) (sum int) {
	at := p.origin(mbx, mby)
	for y := range p.side {
		for x := range p.side {
			d := int(p.want[at+y*p.stride+x]) - int(guess[y*p.side+x])
			sum += max(d, -d)
		}
	}
	return sum
}

// guess predicts a macroblock.
func (p *plane) guess(m mode, mbx, mby int) []byte {
	out := make([]byte, p.side*p.side)
	at, mean := p.origin(mbx, mby), p.mean(mbx, mby)
	for y := range p.side {
		for x := range p.side {
			switch m {
			case vertical:
				out[y*p.side+x] = p.seen[at-p.stride+x]
			case horizontal:
				out[y*p.side+x] = p.seen[at+y*p.stride-1]
			default:
				out[y*p.side+x] = mean
			}
		}
	}
	return out
}

// mean is the average of the pixels above and to the left of a macroblock, as far as there are any.
func (p *plane) mean(mbx, mby int) byte {
	at, sum, n := p.origin(mbx, mby), 0, 0
	for i := range p.side {
		if mby > 0 {
			sum, n = sum+int(p.seen[at-p.stride+i]), n+1
		}
		if mbx > 0 {
			sum, n = sum+int(p.seen[at+i*p.stride-1]), n+1
		}
	}
	if n == 0 {
		return 128
	}
	return byte((sum + n/2) / n) //nolint:gosec // an average of bytes
}

// rest is what a guess lacks in a block of a macroblock.
func (p *plane) rest(guess []byte, mbx, mby, i int) *block {
	var b block
	p.each(mbx, mby, i, func(k, pixel, guessed int) { b[k] = int32(p.want[pixel]) - int32(guess[guessed]) })
	return &b
}

// show notes what decoders see of a block.
func (p *plane) show(guess []byte, b block, mbx, mby, i int) {
	p.each(mbx, mby, i, func(k, pixel, guessed int) { p.seen[pixel] = byte(min(max(int32(guess[guessed])+b[k], 0), 255)) })
}

// each visits the pixels of a block: the index in the block, in the plane and in the macroblock.
func (p *plane) each(mbx, mby, i int, do func(k, pixel, guessed int)) {
	row := p.side / 4 // blocks in a row
	x, y := i%row*4, i/row*4
	for k := range 16 {
		dx, dy := x+k%4, y+k/4
		do(k, p.origin(mbx, mby)+dy*p.stride+dx, dy*p.side+dx)
	}
}
