package vp8

import "math"

// block is 4 by 4 values, row by row.
type block [16]int32

// cosine is the orthonormal matrix of the discrete cosine transform.
var cosine = func() (m [4][4]float64) {
	for u := range m {
		for x := range m[u] {
			m[u][x] = math.Sqrt(0.5) * math.Cos(float64(2*x+1)*float64(u)*math.Pi/8)
		}
		if u == 0 {
			m[u] = [4]float64{0.5, 0.5, 0.5, 0.5}
		}
	}
	return m
}()

// forward returns the coefficients of a block: twice those of the orthonormal transform, as the inverse of RFC 6386
// wants them.
func forward(b *block) (out [16]float64) {
	var half [16]float64
	for y := range 4 {
		for u := range 4 {
			for x := range 4 {
				half[4*y+u] += cosine[u][x] * float64(b[4*y+x])
			}
		}
	}
	for v := range 4 {
		for u := range 4 {
			for y := range 4 {
				out[4*v+u] += 2 * cosine[v][y] * half[4*y+u]
			}
		}
	}
	return out
}

// inverse is the inverse of RFC 6386, section 14.4, bit by bit: the next block is predicted from what decoders see.
func inverse(in *block) (out block) {
	const (
		c1 = 85627 // 65536 * cos(pi/8) * sqrt(2)
		c2 = 35468 // 65536 * sin(pi/8) * sqrt(2)
	)
	var m block
	for i := range 4 {
		a, b := in[i]+in[8+i], in[i]-in[8+i]
		c := in[4+i]*c2>>16 - in[12+i]*c1>>16
		d := in[4+i]*c1>>16 + in[12+i]*c2>>16
		m[i], m[4+i], m[8+i], m[12+i] = a+d, b+c, b-c, a-d
	}
	for i := 0; i < 16; i += 4 {
		a, b := m[i]+m[i+2]+4, m[i]-m[i+2]+4
		c := m[i+1]*c2>>16 - m[i+3]*c1>>16
		d := m[i+1]*c1>>16 + m[i+3]*c2>>16
		out[i], out[i+1], out[i+2], out[i+3] = (a+d)>>3, (b+c)>>3, (b-c)>>3, (a-d)>>3
	}
	return out
}

// hadamard is the Walsh-Hadamard transform of RFC 6386, section 14.3, without its division: it is its own inverse but
// for that.
func hadamard(in *block) (out block) {
	var m block
	butterfly := func(in, out *block, at, step int) {
		a, b, c, d := in[at], in[at+step], in[at+2*step], in[at+3*step]
		out[at], out[at+step], out[at+2*step], out[at+3*step] = a+b+c+d, a+b-c-d, a-b-c+d, a-b+c-d
	}
	for i := range 4 {
		butterfly(in, &m, i, 4)
	}
	for i := 0; i < 16; i += 4 {
		butterfly(&m, &out, i, 1)
	}
	return out
}
