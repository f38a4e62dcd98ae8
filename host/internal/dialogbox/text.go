package dialogbox

import (
	"image/color"
	"strings"
	"unicode"

	"golang.org/x/image/math/fixed"
)

func gray(luma byte) color.Gray { return color.Gray{Y: luma} }

// maxText bounds a text, in bytes.
const maxText = 4 << 10

// ellipsis stands for what is left out.
const ellipsis = "…"

// clean is a text as one line. What no font shows, and what changes the order of letters, becomes visible.
func clean(text string) string {
	text = strings.ToValidUTF8(text[:min(len(text), maxText)], "\ufffd")
	return strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case !unicode.IsPrint(r):
			return '\ufffd'
		}
		return r
	}, text)
}

// advance is how wide a rune is.
func (p *painter) advance(r rune) fixed.Int26_6 {
	a, ok := p.face.GlyphAdvance(r)
	if !ok {
		a, _ = p.face.GlyphAdvance('\ufffd')
	}
	return a
}

// keepStart shortens a line at its end to a width.
func (p *painter) keepStart(line string, width int) string {
	lines := p.wrap(line, width, 1)
	return lines[0]
}

// keepEnd shortens a line at its start: that of an origin does not say whose it is.
func (p *painter) keepEnd(line string, width int) string {
	runes := []rune(line)
	room := fixed.I(width)
	if p.fits(runes, room) {
		return line
	}
	room -= p.advance([]rune(ellipsis)[0])
	first := len(runes)
	for first > 0 && room >= p.advance(runes[first-1]) {
		first--
		room -= p.advance(runes[first])
	}
	return ellipsis + string(runes[first:])
}

func (p *painter) fits(runes []rune, room fixed.Int26_6) bool {
	for _, r := range runes {
		if room -= p.advance(r); room < 0 {
			return false
		}
	}
	return true
}

// wrap breaks a text into lines of a width, at spaces where there are any. The last line says if it is not all.
func (p *painter) wrap(text string, width, most int) []string {
	var lines []string
	cut := len(text) > maxText
	text = text[:min(len(text), maxText)]
	for _, paragraph := range strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n") {
		rest := []rune(clean(paragraph))
		for more := true; more && len(lines) <= most; more = len(rest) > 0 {
			n := p.lineOf(rest, fixed.I(width))
			lines, rest = append(lines, strings.TrimRight(string(rest[:n]), " ")), rest[n:]
		}
	}
	if len(lines) > most {
		lines, cut = lines[:most], true
	}
	if last := &lines[len(lines)-1]; cut {
		*last = p.shorten(*last, width)
	}
	return lines
}

// lineOf is how many runes are on the next line, at least one.
func (p *painter) lineOf(rest []rune, room fixed.Int26_6) int {
	space := 0
	for i, r := range rest {
		if room -= p.advance(r); room < 0 && i > 0 {
			if space > 0 {
				return space
			}
			return i
		}
		if r == ' ' {
			space = i + 1
		}
	}
	return len(rest)
}

// shorten ends a line with an ellipsis, within a width.
func (p *painter) shorten(line string, width int) string {
	runes := []rune(line)
	for len(runes) > 0 && !p.fits(append(runes[:len(runes):len(runes)], []rune(ellipsis)...), fixed.I(width)) {
		runes = runes[:len(runes)-1]
	}
	return string(runes) + ellipsis
}
