package vision

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
)

const (
	// plainBytes is the size up to which a PNG is sent unchanged.
	plainBytes = 1 << 20
	// plainSide is the longest side, in pixels, up to which a picture is not scaled down; models use no more.
	plainSide = 2048
	// maxPixels limits what is decoded, at 4 bytes of memory each.
	maxPixels = 64 << 20
	// jpegQuality keeps text readable.
	jpegQuality = 85
)

// dataURL encodes a PNG for sending. A large one is scaled down and sent as a JPEG.
func dataURL(picture []byte) (string, error) {
	at, err := png.DecodeConfig(bytes.NewReader(picture))
	if err != nil {
		return "", fmt.Errorf("the picture is not a PNG: %w", err)
	}
	if len(picture) <= plainBytes && max(at.Width, at.Height) <= plainSide {
		return "data:image/png;base64," + base64.StdEncoding.EncodeToString(picture), nil
	}
	if at.Width*at.Height > maxPixels {
		return "", fmt.Errorf("the picture has %d x %d pixels, which is too many", at.Width, at.Height)
	}
	decoded, err := png.Decode(bytes.NewReader(picture))
	if err != nil {
		return "", fmt.Errorf("the picture is not a PNG: %w", err)
	}
	var out bytes.Buffer
	if err := jpeg.Encode(&out, shrink(decoded, plainSide), &jpeg.Options{Quality: jpegQuality}); err != nil {
		return "", fmt.Errorf("the picture cannot be encoded as a JPEG: %w", err)
	}
	return "data:image/jpeg;base64," + base64.StdEncoding.EncodeToString(out.Bytes()), nil
}

// shrink divides both sides by the smallest integer that makes them fit. Each new pixel is the mean of those it
// replaces, so that thin lines and text stay visible.
func shrink(from image.Image, side int) image.Image {
	size := from.Bounds()
	n := (max(size.Dx(), size.Dy()) + side - 1) / side
	if n <= 1 {
		return from
	}
	to := image.NewRGBA(image.Rect(0, 0, (size.Dx()+n-1)/n, (size.Dy()+n-1)/n))
	for y := range to.Rect.Dy() {
		for x := range to.Rect.Dx() {
			corner := size.Min.Add(image.Pt(x*n, y*n))
			to.SetRGBA(x, y, mean(from, image.Rectangle{Min: corner, Max: corner.Add(image.Pt(n, n))}.Intersect(size)))
		}
	}
	return to
}

// mean returns the mean colour of a part of a picture.
func mean(from image.Image, part image.Rectangle) color.RGBA {
	var r, g, b, a, count uint32
	for y := part.Min.Y; y < part.Max.Y; y++ {
		for x := part.Min.X; x < part.Max.X; x++ {
			pr, pg, pb, pa := from.At(x, y).RGBA()
			r, g, b, a, count = r+pr>>8, g+pg>>8, b+pb>>8, a+pa>>8, count+1
		}
	}
	return color.RGBA{uint8(r / count), uint8(g / count), uint8(b / count), uint8(a / count)} //nolint:gosec // means of bytes
}
