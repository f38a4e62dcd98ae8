package page

import (
	"bytes"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"strconv"
)

// digits are 3 by 5 pixels each, one bit per pixel from the top left: all the font that numbers need.
var digits = [10]uint16{
	0b111_101_101_101_111, 0b010_110_010_010_111, 0b111_001_111_100_111, 0b111_001_111_001_111, 0b101_101_111_001_001,
	0b111_100_111_001_111, 0b111_100_111_101_111, 0b111_001_010_010_010, 0b111_101_111_101_111, 0b111_101_111_001_111,
}

const (
	digitWidth, digitHeight = 3, 5
	zoom                    = 2 // pixels of the picture for each pixel of a digit
	margin                  = 2
	border                  = 2
)

// colours of boxes alternate, so that neighbours can be told apart. White digits are legible on each.
var colours = []color.RGBA{{200, 30, 30, 255}, {20, 90, 200, 255}, {20, 120, 40, 255}, {140, 40, 160, 255}, {180, 90, 0, 255}}

// annotate draws boxes and their numbers on a picture.
func annotate(picture []byte, boxes []Box) ([]byte, error) {
	decoded, err := png.Decode(bytes.NewReader(picture))
	if err != nil {
		return nil, err
	}
	canvas := image.NewRGBA(decoded.Bounds())
	draw.Draw(canvas, canvas.Bounds(), decoded, decoded.Bounds().Min, draw.Src)
	for _, b := range boxes {
		outline(canvas, b.Rect, colours[b.Number%len(colours)])
	}
	for _, b := range boxes { // on top of all boxes
		label(canvas, b.Rect.Min, b.Number)
	}
	var out bytes.Buffer
	err = (&png.Encoder{CompressionLevel: png.BestSpeed}).Encode(&out, canvas)
	return out.Bytes(), err
}

func fill(canvas *image.RGBA, r image.Rectangle, c color.RGBA) {
	draw.Draw(canvas, r, image.NewUniform(c), image.Point{}, draw.Src)
}

func outline(canvas *image.RGBA, r image.Rectangle, c color.RGBA) {
	inner := r.Inset(border)
	if inner.Empty() {
		fill(canvas, r, c)
		return
	}
	fill(canvas, image.Rect(r.Min.X, r.Min.Y, r.Max.X, inner.Min.Y), c)
	fill(canvas, image.Rect(r.Min.X, inner.Max.Y, r.Max.X, r.Max.Y), c)
	fill(canvas, image.Rect(r.Min.X, inner.Min.Y, inner.Min.X, inner.Max.Y), c)
	fill(canvas, image.Rect(inner.Max.X, inner.Min.Y, r.Max.X, inner.Max.Y), c)
}

// label writes a number at a corner, but within the picture.
func label(canvas *image.RGBA, at image.Point, number int) {
	text := strconv.Itoa(number)
	size := image.Pt(len(text)*(digitWidth+1)*zoom-zoom+2*margin, digitHeight*zoom+2*margin)
	edge := canvas.Bounds().Max
	at = image.Pt(max(0, min(at.X, edge.X-size.X)), max(0, min(at.Y, edge.Y-size.Y)))
	fill(canvas, image.Rectangle{at, at.Add(size)}, colours[number%len(colours)])
	for i, r := range text {
		digit(canvas, at.Add(image.Pt(margin+i*(digitWidth+1)*zoom, margin)), digits[r-'0'])
	}
}

func digit(canvas *image.RGBA, at image.Point, bits uint16) {
	for i := range digitWidth * digitHeight {
		if bits>>(digitWidth*digitHeight-1-i)&1 == 0 {
			continue
		}
		p := at.Add(image.Pt(i%digitWidth*zoom, i/digitWidth*zoom))
		fill(canvas, image.Rectangle{p, p.Add(image.Pt(zoom, zoom))}, color.RGBA{255, 255, 255, 255})
	}
}
