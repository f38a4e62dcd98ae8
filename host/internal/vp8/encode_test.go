package vp8

import (
	"bytes"
	"errors"
	"image"
	"math"
	"math/rand/v2"
	"testing"

	"golang.org/x/image/vp8"
)

// picture has values that draw gives.
func picture(width, height int, draw func(x, y int) (luma, cb, cr byte)) *image.YCbCr {
	m := image.NewYCbCr(image.Rect(0, 0, width, height), image.YCbCrSubsampleRatio420)
	for y := range height {
		for x := range width {
			m.Y[m.YOffset(x, y)], m.Cb[m.COffset(x, y)], m.Cr[m.COffset(x, y)] = draw(x, y)
		}
	}
	return m
}

func decode(t *testing.T, frame []byte) *image.YCbCr {
	t.Helper()
	d := vp8.NewDecoder()
	d.Init(bytes.NewReader(frame), len(frame))
	if _, err := d.DecodeFrameHeader(); err != nil {
		t.Fatal(err)
	}
	m, err := d.DecodeFrame()
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// distance is the peak signal-to-noise ratio of two planes in decibels: 30 is fair, 40 good.
func distance(a, b *image.YCbCr) (luma, chroma float64) {
	var sums [2]float64
	size := a.Rect.Size()
	for y := range size.Y {
		for x := range size.X {
			square := func(v, w byte) float64 { return math.Pow(float64(v)-float64(w), 2) }
			sums[0] += square(a.Y[a.YOffset(x, y)], b.Y[b.YOffset(x, y)])
			sums[1] += (square(a.Cb[a.COffset(x, y)], b.Cb[b.COffset(x, y)]) + square(a.Cr[a.COffset(x, y)], b.Cr[b.COffset(x, y)])) / 2
		}
	}
	decibels := func(sum float64) float64 {
		return 10 * math.Log10(255*255/max(sum/float64(size.X*size.Y), 1e-9))
	}
	return decibels(sums[0]), decibels(sums[1])
}

// Another decoder sees what was encoded: a mistake in the order of bits, a context or a prediction spreads over all
// that follows.
func TestADecoderSeesThePicture(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for name, m := range map[string]*image.YCbCr{
		"one colour": picture(64, 48, func(int, int) (byte, byte, byte) { return 200, 90, 160 }),
		"one pixel":  picture(1, 1, func(int, int) (byte, byte, byte) { return 30, 200, 90 }),
		"gradients": picture(333, 217, func(x, y int) (byte, byte, byte) {
			return byte(16 + (x+y)*219/550), byte(x * 255 / 333), byte(y * 255 / 217)
		}),
		"edges": picture(200, 120, func(x, y int) (byte, byte, byte) {
			if (x/13+y/7)%2 == 0 {
				return 235, 128, 128
			}
			return 16, 60, 200
		}),
		"noise": picture(129, 65, func(int, int) (byte, byte, byte) {
			return byte(random.IntN(256)), byte(random.IntN(256)), byte(random.IntN(256))
		}),
	} {
		t.Run(name, func(t *testing.T) {
			frame, err := Encode(m)
			if err != nil {
				t.Fatal(err)
			}
			got := decode(t, frame)
			if got.Rect.Size() != m.Rect.Size() {
				t.Fatalf("it is %v, not %v", got.Rect, m.Rect)
			}
			if luma, chroma := distance(m, got); luma < 30 || chroma < 24 {
				t.Errorf("luma is %.1f dB, chroma %.1f dB", luma, chroma)
			}
		})
	}
}

// A part of a picture is encoded like a picture.
func TestAPartOfAPictureIsEncoded(t *testing.T) {
	whole := picture(100, 100, func(x, _ int) (byte, byte, byte) { return byte(x), 128, 128 })
	part := whole.SubImage(image.Rect(40, 20, 90, 60)).(*image.YCbCr)
	frame, err := Encode(part)
	if err != nil {
		t.Fatal(err)
	}
	got := decode(t, frame)
	if first := got.Y[0]; got.Rect.Size() != image.Pt(50, 40) || first < 35 || first > 45 {
		t.Errorf("it is %v and begins with %d", got.Rect, first)
	}
}

func TestASizeThatVP8DoesNotHaveIsRefused(t *testing.T) {
	for _, m := range []*image.YCbCr{
		image.NewYCbCr(image.Rect(0, 0, 0, 5), image.YCbCrSubsampleRatio420),
		image.NewYCbCr(image.Rect(0, 0, 1<<14, 1), image.YCbCrSubsampleRatio420),
		image.NewYCbCr(image.Rect(0, 0, 16, 16), image.YCbCrSubsampleRatio444),
	} {
		if _, err := Encode(m); !errors.Is(err, ErrSize) {
			t.Errorf("%v: %v", m.Rect, err)
		}
	}
}

func BenchmarkEncode(b *testing.B) {
	m := picture(1280, 800, func(x, y int) (byte, byte, byte) {
		if x%9 < 3 && y%17 < 9 {
			return 30, 128, 128
		}
		return 235, 128, 128
	})
	for b.Loop() {
		frame, err := Encode(m)
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(len(frame)), "bytes")
	}
}
