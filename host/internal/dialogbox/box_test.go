package dialogbox

import (
	"fmt"
	"image"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

const flat = 180 // the luma of a page of one colour, in which whatever is drawn differs

func page(width, height int) *image.YCbCr {
	m := image.NewYCbCr(image.Rect(0, 0, width, height), image.YCbCrSubsampleRatio420)
	for i := range m.Y {
		m.Y[i] = flat
	}
	for i := range m.Cb {
		m.Cb[i], m.Cr[i] = neutral, neutral
	}
	return m
}

// changed is the rectangle of all that differs between two pictures.
func changed(a, b *image.YCbCr) (r image.Rectangle) {
	for y := range a.Rect.Dy() {
		for x := range a.Rect.Dx() {
			if a.YCbCrAt(x, y) != b.YCbCrAt(x, y) {
				r = r.Union(image.Rect(x, y, x+1, y+1))
			}
		}
	}
	return r
}

func draw(width, height int, d Dialog) *image.YCbCr {
	m := page(width, height)
	Draw(m, d)
	return m
}

func TestADialogIsDrawnWithItsMark(t *testing.T) {
	without := page(1280, 800)
	darken(without)
	for _, kind := range []string{"alert", "confirm", "prompt", "beforeunload"} {
		m := draw(1280, 800, Dialog{ID: "d-1", Type: kind, Origin: "https://shop.example", Message: "Delete everything?", Default: "yes"})
		box := changed(without, m)
		if box.Dx() < 400 || box.Dy() < 100 || box.Min.X < 200 || box.Max.X > 1080 || box.Max.Y > 500 {
			t.Errorf("%s: the box is %v", kind, box)
		}
		mark := m.YCbCrAt(box.Min.X+2, box.Min.Y+1)
		if mark.Cb != markCb || mark.Cr != markCr {
			t.Errorf("%s: the mark is %v", kind, mark)
		}
		if open := draw(1280, 800, Dialog{ID: "d-1", Type: kind, Origin: "https://shop.example", Message: "Delete everything?", Default: "yes", Answer: "accepted by agent", Accepted: true}); changed(open, m).Empty() {
			t.Errorf("%s: the answer is not shown", kind)
		}
	}
}

// What a page writes changes nothing but the white part of the box, whose size depends on how much it is.
func TestNoTextLeavesItsBox(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		width, height := rapid.IntRange(1, 700).Draw(t, "width"), rapid.IntRange(1, 500).Draw(t, "height")
		text := rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{
			strings.Repeat("W", 10_000), strings.Repeat("line\n", 2_000), "\u202egnp.exe", "\x00\x1b[2J\a", "\xff\xfe", strings.Repeat("a\u0301\u0302", 300), "",
		}))
		d := Dialog{
			ID: "d-1", Type: rapid.SampledFrom([]string{"alert", "confirm", "prompt", "beforeunload"}).Draw(t, "type"),
			Origin: text.Draw(t, "origin"), Message: text.Draw(t, "message"), Default: text.Draw(t, "default"),
		}
		if err := markStays(width, height, d); err != nil {
			t.Fatal(err)
		}
	})
}

func TestNoTextLeavesTheBoxOfATinyPicture(t *testing.T) {
	for width := 1; width <= 40; width++ {
		for height := 1; height <= 40; height++ {
			if err := markStays(width, height, Dialog{ID: "d-1", Type: "alert"}); err != nil {
				t.Errorf("%d by %d: %v", width, height, err)
			}
		}
	}
}

// markStays is an error if the mark of a dialog is not the same whatever its page says, or if its box leaves a picture
// that has room for it.
func markStays(width, height int, d Dialog) error {
	without := page(width, height)
	darken(without)
	m := draw(width, height, d)
	box := changed(without, m)
	if width > 100 && height > 300 && (box.Min.X < 1 || box.Max.X > width-1 || box.Max.Y > height) {
		return fmt.Errorf("the box is %v", box)
	}
	d.Origin, d.Message, d.Default = "x", "y", "z"
	plain := draw(width, height, d)
	for y := box.Min.Y; y < box.Min.Y+4; y++ {
		for x := range width {
			if m.YCbCrAt(x, y) != plain.YCbCrAt(x, y) {
				return fmt.Errorf("the mark differs at %d, %d", x, y)
			}
		}
	}
	return nil
}

func TestAnOriginKeepsItsEnd(t *testing.T) {
	a := draw(1280, 800, Dialog{Type: "alert", Origin: "https://bank.example." + strings.Repeat("a.", 200) + "one.example"})
	b := draw(1280, 800, Dialog{Type: "alert", Origin: "https://bank.example." + strings.Repeat("a.", 200) + "two.example"})
	if changed(a, b).Empty() {
		t.Error("the end of a long origin is not shown")
	}
}
