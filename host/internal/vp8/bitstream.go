package vp8

// modes returns the first partition: the header of the frame and how each macroblock is predicted (RFC 6386, sections
// 9.2 to 9.11, 11.2 and 11.3).
func (e *encoder) modes() []byte {
	w := newWriter()
	w.number(0, 2)       // colour space, clamping
	w.number(0, 1)       // no segments
	w.number(0, 1+6+3+1) // loop filter: its kind, level 0, sharpness, no adjustments
	w.number(0, 2)       // one partition of tokens
	w.number(quality, 7)
	w.number(0, 5) // the same for all planes
	w.number(0, 1) // no probabilities are kept for the next frame
	for p := range updates {
		for b := range updates[p] {
			for c := range updates[p][b] {
				for _, prob := range updates[p][b][c] {
					w.bit(false, prob)
				}
			}
		}
	}
	skipped := e.skipped()
	w.number(1, 1) // macroblocks without coefficients are marked
	w.number(uint32(skipped), 8)
	for i := range e.list {
		m := &e.list[i]
		w.bit(m.empty, skipped)
		w.bit(true, 145) // luma is predicted as a whole
		w.bit(m.luma == horizontal, 156)
		if m.luma == horizontal {
			w.bit(false, even)
		} else {
			w.bit(m.luma == vertical, 163)
		}
		if w.bit(m.chroma != average, 142); m.chroma != average {
			if w.bit(m.chroma != vertical, 114); m.chroma != vertical {
				w.bit(false, 183)
			}
		}
	}
	return w.finish()
}

// skipped is the probability that a macroblock has coefficients.
func (e *encoder) skipped() uint8 {
	full := 0
	for i := range e.list {
		if !e.list[i].empty {
			full++
		}
	}
	return uint8(min(max(255*full/len(e.list), 1), 254)) //nolint:gosec // it fits
}

// around says which of the last blocks above or to the left have coefficients: the means, luma by row or column, and
// each chroma.
type around struct {
	means  int
	luma   [4]int
	chroma [2][2]int
}

// tokens returns the second partition: the coefficients (section 13).
func (e *encoder) tokens() []byte {
	w := newWriter()
	above := make([]around, e.wide)
	for y := range e.high {
		var left around
		for x := range e.wide {
			m := &e.list[y*e.wide+x]
			if m.empty {
				above[x], left = around{}, around{}
				continue
			}
			w.macroblock(m, &above[x], &left)
		}
	}
	return w.finish()
}

func (w *writer) macroblock(m *macroblock, above, left *around) {
	means := w.block(&m.means, planeMeans, 0, above.means+left.means)
	above.means, left.means = means, means
	for i := range 16 {
		has := w.block(&m.blocks[i], planeLuma, 1, above.luma[i%4]+left.luma[i/4])
		above.luma[i%4], left.luma[i/4] = has, has
	}
	for i := range 8 {
		a, l := &above.chroma[i/4][i%2], &left.chroma[i/4][i%4/2]
		has := w.block(&m.blocks[16+i], planeChroma, 0, *a+*l)
		*a, *l = has, has
	}
}

var (
	// zigzag is the order of coefficients, and band the band of each place in it.
	zigzag = [16]int{0, 1, 4, 8, 5, 2, 3, 6, 9, 12, 13, 10, 7, 11, 14, 15}
	band   = [16]int{0, 1, 2, 3, 6, 4, 5, 6, 6, 6, 6, 6, 6, 6, 6, 7}
)

// block writes the coefficients of a block from the first that it has in this plane, and returns 1 if there are any.
func (w *writer) block(b *block, plane, first, context int) int {
	last := -1
	for i := first; i < 16; i++ {
		if b[zigzag[i]] != 0 {
			last = i
		}
	}
	zero := false // the one before was: the block does not end there
	for i := first; i < 16; i++ {
		p := &usual[plane][band[i]][context]
		if !zero {
			w.bit(i <= last, p[0])
		}
		if i > last {
			break
		}
		v := b[zigzag[i]]
		w.bit(v != 0, p[1])
		if zero = v == 0; zero {
			context = 0
			continue
		}
		context = w.amount(uint32(max(v, -v)), p) //nolint:gosec // it is positive
		w.bit(v < 0, even)
	}
	if last < 0 {
		return 0
	}
	return 1
}

// categories are the probabilities of the bits of large amounts (section 13.2).
var categories = [4][]uint8{
	{173, 148, 140}, {176, 155, 140, 135}, {180, 157, 141, 134, 130}, {254, 254, 243, 230, 196, 177, 153, 140, 133, 130, 129},
}

// amount writes how large a coefficient is, and returns the context for the next one.
func (w *writer) amount(v uint32, p *probabilities) int {
	if w.bit(v > 1, p[2]); v == 1 {
		return 1
	}
	if w.bit(v > 4, p[3]); v <= 4 {
		if w.bit(v > 2, p[4]); v > 2 {
			w.bit(v == 4, p[5])
		}
		return 2
	}
	if w.bit(v > 10, p[6]); v <= 10 {
		if w.bit(v > 6, p[7]); v <= 6 {
			w.bit(v == 6, 159)
			return 2
		}
		w.bit((v-7)>>1 == 1, 165)
		w.bit((v-7)&1 == 1, 145)
		return 2
	}
	category := 0
	for category < 3 && v >= 3+16<<category {
		category++
	}
	w.bit(category > 1, p[8])
	w.bit(category&1 == 1, p[9+category/2])
	rest, bits := v-3-8<<category, categories[category]
	for i, prob := range bits {
		w.bit(rest>>(len(bits)-1-i)&1 == 1, prob)
	}
	return 2
}
