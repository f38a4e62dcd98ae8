package dialogbox

import (
	"image"
	"sync"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
)

// Dialog is what is drawn. All texts but ID and Answer come from the page.
type Dialog struct {
	ID string
	// Type is alert, confirm, prompt or beforeunload.
	Type string
	// Origin is whose dialog it is, and Message what it says.
	Origin, Message string
	// Default is the text in the field of a prompt, as the page gave it. What is typed there instead is not drawn.
	Default string
	// Answer says how the dialog ended, and Accepted by which button; empty: it is open.
	Answer   string
	Accepted bool
}

// The luma of what is drawn, as in video; a part without colour has neutral chromas.
const (
	black, grey, paleGrey, white = 24, 120, 200, 235
	neutral                      = 128
	markCb, markCr               = 90, 190 // the colour of the mark: orange
	markLuma                     = 130
)

// theFont is part of the program: fonts of pages are not used.
var theFont = sync.OnceValue(func() *sfnt.Font {
	f, err := opentype.Parse(goregular.TTF)
	if err != nil {
		panic(err) // it is of this program, and every test would meet it
	}
	return f
})

// Draw draws a dialog over a picture, which it darkens. Nothing that the page wrote leaves the white part of the box:
// the mark above it is the host's own.
func Draw(on *image.YCbCr, d Dialog) {
	darken(on)
	size := on.Rect.Size()
	p := &painter{on: on, unit: max(size.X/90, 6)}
	face, err := opentype.NewFace(theFont(), &opentype.FaceOptions{Size: float64(p.unit), DPI: 96, Hinting: font.HintingFull})
	if err != nil {
		return // a size that the font does not have, of a picture that is no page
	}
	defer func() { _ = face.Close() }()
	p.face, p.line = face, face.Metrics().Height.Ceil()
	p.dialog(d)
}

// darken takes away most of a picture, so that a box in the page itself is not taken for one over it.
func darken(m *image.YCbCr) {
	size := m.Rect.Size()
	for y := range size.Y {
		row := m.Y[y*m.YStride:][:size.X]
		for x, v := range row {
			row[x] = byte(16 + (max(int(v), 16)-16)*2/5)
		}
	}
	for y := range (size.Y + 1) / 2 {
		for _, plane := range [][]byte{m.Cb, m.Cr} {
			row := plane[y*m.CStride:][:(size.X+1)/2]
			for x, v := range row {
				row[x] = byte(neutral + (int(v)-neutral)*2/5)
			}
		}
	}
}

// painter draws on a picture whose rectangle begins at 0, 0.
type painter struct {
	on   *image.YCbCr
	face font.Face
	unit int // the size that distances depend on, in pixels
	line int // the height of a line of text
}

// dialog draws the box: the mark, whose dialog it is, what it says, the field of a prompt, and the buttons.
func (p *painter) dialog(d Dialog) {
	size := p.on.Rect.Size()
	width, gap := min(48*p.unit, size.X-2*p.unit), p.unit
	inner := width - 2*gap
	if inner <= 0 {
		return // a picture too narrow for a letter, in which what is within the box would be to the left of it
	}
	top := min(3*p.unit, size.Y/12)
	fixedHeight := 3*p.line + 5*gap // the mark, the origin, the buttons, and what is between them
	if d.Type == "prompt" {
		fixedHeight += p.line + 2*gap
	}
	message := p.wrap(messageOf(d), inner, max((size.Y-2*top-fixedHeight)/p.line, 1))
	box := image.Rect((size.X-width)/2, top, (size.X+width)/2, top+fixedHeight+len(message)*p.line)

	p.fill(box, white, neutral, neutral)
	mark := image.Rect(box.Min.X, box.Min.Y, box.Max.X, box.Min.Y+p.line+gap/2)
	p.fill(mark, markLuma, markCb, markCr)
	p.text(mark.Inset(1), mark.Min.Add(image.Pt(gap, gap/4)), p.keepStart("drawn by hermes-cdp: "+d.Type+" "+d.ID, inner), white)

	body := image.Rect(box.Min.X+gap, mark.Max.Y, box.Max.X-gap, box.Max.Y)
	at := body.Min.Add(image.Pt(0, gap))
	p.text(body, at, p.keepEnd(clean(d.Origin), inner-p.width(says))+says, grey)
	at.Y += p.line + gap
	for _, line := range message {
		p.text(body, at, line, black)
		at.Y += p.line
	}
	if d.Type == "prompt" {
		field := image.Rect(body.Min.X, at.Y+gap/2, body.Max.X, at.Y+p.line+gap)
		p.fill(field, paleGrey, neutral, neutral)
		p.fill(field.Inset(1), white, neutral, neutral)
		p.text(field.Inset(2), field.Min.Add(image.Pt(gap/2, gap/4)), p.keepStart(clean(d.Default), inner-gap), black)
	}
	p.buttons(body, d)
}

// says follows the origin, as in Chrome's own dialogs.
const says = " says"

// messageOf is what a dialog says. Chrome shows its own words when a page asks whether it may be left.
func messageOf(d Dialog) string {
	if d.Type == "beforeunload" {
		return "Leave site? Changes you made may not be saved."
	}
	return d.Message
}

// buttons draws the buttons and how the dialog ended, at the bottom of the box.
func (p *painter) buttons(body image.Rectangle, d Dialog) {
	names := []string{"OK"}
	switch d.Type {
	case "confirm", "prompt":
		names = []string{"Cancel", "OK"}
	case "beforeunload":
		names = []string{"Cancel", "Leave"}
	}
	bottom, right := body.Max.Y-p.unit, body.Max.X
	for i := len(names) - 1; i >= 0; i-- {
		width := p.width(names[i]) + 2*p.unit
		b := image.Rect(right-width, bottom-p.line-p.unit/2, right, bottom)
		pressed := d.Answer != "" && d.Accepted == (i == len(names)-1)
		ink := byte(black)
		if p.fill(b, paleGrey, neutral, neutral); pressed {
			p.fill(b, black, neutral, neutral)
			ink = white
		}
		p.text(b, b.Min.Add(image.Pt(p.unit, p.unit/4)), names[i], ink)
		right = b.Min.X - p.unit
	}
	left := image.Rect(body.Min.X, bottom-p.line-p.unit/2, right, bottom)
	p.text(left, left.Min.Add(image.Pt(0, p.unit/4)), p.keepStart(clean(d.Answer), left.Dx()), grey)
}

// fill fills what of a rectangle is in the picture.
func (p *painter) fill(r image.Rectangle, luma, cb, cr byte) {
	r = r.Intersect(p.on.Rect)
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for x := r.Min.X; x < r.Max.X; x++ {
			c := p.on.COffset(x, y)
			p.on.Y[p.on.YOffset(x, y)], p.on.Cb[c], p.on.Cr[c] = luma, cb, cr
		}
	}
}

// text writes a line whose upper left corner is at a point. Nothing of it leaves the rectangle.
func (p *painter) text(within image.Rectangle, at image.Point, line string, ink byte) {
	within = within.Intersect(p.on.Rect)
	if within.Empty() {
		return
	}
	luma := &image.Gray{Pix: p.on.Y, Stride: p.on.YStride, Rect: p.on.Rect}
	d := font.Drawer{
		Dst: luma.SubImage(within).(*image.Gray), Src: image.NewUniform(gray(ink)), Face: p.face,
		Dot: fixed.P(at.X, at.Y+p.face.Metrics().Ascent.Ceil()),
	}
	d.DrawString(line)
}

func (p *painter) width(text string) int { return font.MeasureString(p.face, text).Ceil() }
