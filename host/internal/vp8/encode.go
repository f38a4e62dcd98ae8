package vp8

import (
	"encoding/binary"
	"errors"
	"image"
	"math"
)

// ErrSize says that a picture cannot be a frame: VP8 has 1 to 16,383 pixels each way, and 4:2:0 subsampling.
var ErrSize = errors.New("a picture of this size or subsampling cannot be encoded as VP8")

// quality is the index of the quantisers, of 0 (best) to 127; text stays legible. steps are what it stands for
// (RFC 6386, sections 9.6 and 14.1).
const quality = 24

// step is what the first coefficient of a block is divided by, and the others.
type step struct{ first, other int32 }

var steps = [planes]step{planeLuma: {23, 28}, planeMeans: {46, 43}, planeChroma: {23, 28}}

// Encode returns a picture as a key frame. Its values are those of video: luma is 16 to 235. Errors are ErrSize.
func Encode(m *image.YCbCr) ([]byte, error) {
	size := m.Rect.Size()
	if size.X < 1 || size.Y < 1 || size.X >= 1<<14 || size.Y >= 1<<14 || m.SubsampleRatio != image.YCbCrSubsampleRatio420 {
		return nil, ErrSize
	}
	e := newEncoder(m, size)
	e.predict()
	first, tokens := e.modes(), e.tokens()
	if len(first) >= 1<<19 {
		return nil, ErrSize // its header has no room for the length
	}
	out := make([]byte, 10, 10+len(first)+len(tokens))
	// A key frame that is shown: section 9.1.
	tag := uint32(1<<4) | uint32(len(first))<<5 //nolint:gosec // it was checked
	out[0], out[1], out[2], out[3], out[4], out[5] = byte(tag), byte(tag>>8), byte(tag>>16), 0x9d, 0x01, 0x2a
	binary.LittleEndian.PutUint16(out[6:], uint16(size.X)) //nolint:gosec // it was checked
	binary.LittleEndian.PutUint16(out[8:], uint16(size.Y)) //nolint:gosec // it was checked
	return append(append(out, first...), tokens...), nil
}

// plane is one of luma and the two chromas: what it should show, and what decoders see.
type plane struct {
	want, seen []byte
	stride     int
	side       int // of its part of a macroblock
}

// macroblock is 16 by 16 pixels as they are encoded.
type macroblock struct {
	luma, chroma mode
	means        block     // the quantised first coefficients of the luma blocks
	blocks       [24]block // quantised: 16 of luma, 4 of each chroma
	empty        bool      // it has no coefficients
}

type encoder struct {
	wide, high int // in macroblocks
	planes     [3]plane
	list       []macroblock
}

func newEncoder(m *image.YCbCr, size image.Point) *encoder {
	e := &encoder{wide: (size.X + 15) / 16, high: (size.Y + 15) / 16}
	e.list = make([]macroblock, e.wide*e.high)
	e.planes[0] = newPlane(m.Y, m.YStride, size, e.wide, e.high, 16)
	half := image.Pt((size.X+1)/2, (size.Y+1)/2)
	e.planes[1] = newPlane(m.Cb, m.CStride, half, e.wide, e.high, 8)
	e.planes[2] = newPlane(m.Cr, m.CStride, half, e.wide, e.high, 8)
	return e
}

// newPlane copies a plane, and repeats its edges up to whole macroblocks.
func newPlane(from []byte, stride int, size image.Point, wide, high, side int) plane {
	p := plane{want: make([]byte, wide*high*side*side), seen: make([]byte, wide*high*side*side), stride: wide * side, side: side}
	for y := range high * side {
		row := from[min(y, size.Y-1)*stride:]
		line := p.want[y*p.stride : (y+1)*p.stride]
		copy(line, row[:size.X])
		for x := size.X; x < len(line); x++ {
			line[x] = row[size.X-1]
		}
	}
	return p
}

// predict encodes the macroblocks, each from those before it.
func (e *encoder) predict() {
	for y := range e.high {
		for x := range e.wide {
			m := &e.list[y*e.wide+x]
			m.luma = e.planes[0].choose(x, y)
			m.chroma = e.planes[1].choose(x, y)
			e.luma(m, x, y)
			e.chroma(m, 1, x, y)
			e.chroma(m, 2, x, y)
			m.empty = m.means == block{} && m.blocks == [24]block{}
		}
	}
}

// luma encodes the luma of a macroblock. The first coefficients of its blocks are transformed once more.
func (e *encoder) luma(m *macroblock, mbx, mby int) {
	p := &e.planes[0]
	guess := p.guess(m.luma, mbx, mby)
	var means block
	for i := range 16 {
		c := forward(p.rest(guess, mbx, mby, i))
		means[i] = int32(math.Round(c[0]))
		m.blocks[i] = quantise(c, steps[planeLuma])
		m.blocks[i][0] = 0
	}
	transformed := hadamard(&means)
	var c [16]float64
	for i, v := range transformed {
		c[i] = float64(v) / 2
	}
	m.means = quantise(c, steps[planeMeans])
	seen := restore(&m.means, steps[planeMeans])
	seen = hadamard(&seen)
	for i := range 16 {
		b := restore(&m.blocks[i], steps[planeLuma])
		b[0] = (seen[i] + 3) >> 3
		p.show(guess, inverse(&b), mbx, mby, i)
	}
}

// chroma encodes a chroma of a macroblock.
func (e *encoder) chroma(m *macroblock, which, mbx, mby int) {
	p := &e.planes[which]
	guess := p.guess(m.chroma, mbx, mby)
	for i := range 4 {
		b := &m.blocks[16+4*(which-1)+i]
		*b = quantise(forward(p.rest(guess, mbx, mby, i)), steps[planeChroma])
		seen := restore(b, steps[planeChroma])
		p.show(guess, inverse(&seen), mbx, mby, i)
	}
}

func quantise(c [16]float64, by step) (out block) {
	out[0] = int32(math.Round(c[0] / float64(by.first)))
	for i := 1; i < 16; i++ {
		out[i] = int32(math.Round(c[i] / float64(by.other)))
	}
	return out
}

func restore(b *block, by step) (out block) {
	out[0] = b[0] * by.first
	for i := 1; i < 16; i++ {
		out[i] = b[i] * by.other
	}
	return out
}
