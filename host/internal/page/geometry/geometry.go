// Package geometry places the boxes of a page: quadrilaterals, rectangles, and the maps between the viewports of
// frames.
package geometry

import (
	"errors"
	"math"
)

// Point is a point in CSS pixels.
type Point struct{ X, Y float64 }

// Quad is a quadrilateral as the DOM domain gives it: the corners clockwise from the top left, x before y.
type Quad []float64

// ErrQuad says that a box has no four finite corners, or no size.
var ErrQuad = errors.New("the browser gave a box that is not a quadrilateral")

func (q Quad) corner(i int) Point { return Point{q[2*i], q[2*i+1]} }

// Valid reports whether it has four finite corners.
func (q Quad) Valid() bool {
	for _, v := range q {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return false
		}
	}
	return len(q) == 8
}

// middle is the mean of the corners.
func (q Quad) middle() Point {
	var p Point
	for i := range 4 {
		p.X += q.corner(i).X / 4
		p.Y += q.corner(i).Y / 4
	}
	return p
}

// Scaled is the quadrilateral with all coordinates times a factor.
func (q Quad) Scaled(by float64) Quad {
	out := make(Quad, len(q))
	for i := range q {
		out[i] = by * q[i]
	}
	return out
}

// Mapped is the quadrilateral after a map.
func (q Quad) Mapped(m Affine) Quad {
	var out Quad
	for i := range 4 {
		p := m.Apply(q.corner(i))
		out = append(out, p.X, p.Y)
	}
	return out
}

// Bounds is the smallest rectangle around the corners.
func (q Quad) Bounds() Rect {
	left, top := min(q[0], q[2], q[4], q[6]), min(q[1], q[3], q[5], q[7])
	return Rect{left, top, max(q[0], q[2], q[4], q[6]) - left, max(q[1], q[3], q[5], q[7]) - top}
}

// Quad is a rectangle as a quadrilateral.
func (r Rect) Quad() Quad {
	return Quad{r.X, r.Y, r.X + r.Width, r.Y, r.X + r.Width, r.Y + r.Height, r.X, r.Y + r.Height}
}

// area is in square pixels.
func (q Quad) area() float64 {
	var twice float64
	for i := range 4 {
		a, b := q.corner(i), q.corner((i+1)%4)
		twice += a.X*b.Y - b.X*a.Y
	}
	return math.Abs(twice) / 2
}

// Clickable is the middle of the first quadrilateral that has an area. An inline element that wraps has one for each
// line, and the middle of its bounding box may be outside all of them.
func Clickable(quads []Quad) (Point, bool) {
	for _, q := range quads {
		if q.Valid() && q.area() >= 0.5 {
			return q.middle(), true
		}
	}
	return Point{}, false
}

// Rect is a box in CSS pixels, in a document or in the top frame's viewport.
type Rect struct{ X, Y, Width, Height float64 }

// Moved is the rectangle after a translation.
func (r Rect) Moved(x, y float64) Rect { return Rect{r.X + x, r.Y + y, r.Width, r.Height} }

// In is the part of r that is in s; zero if there is none.
func (r Rect) In(s Rect) Rect {
	left, top := max(r.X, s.X), max(r.Y, s.Y)
	part := Rect{left, top, min(r.X+r.Width, s.X+s.Width) - left, min(r.Y+r.Height, s.Y+s.Height) - top}
	if part.Width <= 0 || part.Height <= 0 {
		return Rect{}
	}
	return part
}

// Intersects reports whether a viewport of a size shows a part of it.
func (r Rect) Intersects(s Size) bool {
	return r.Width > 0 && r.Height > 0 && r.X < s.Width && r.Y < s.Height && r.X+r.Width > 0 && r.Y+r.Height > 0
}

// Size is that of a viewport, in CSS pixels.
type Size struct{ Width, Height float64 }

// Affine is an affine map of the plane: translation, scale, rotation and shear.
type Affine struct{ xx, xy, yx, yy, dx, dy float64 }

var Identity = Affine{xx: 1, yy: 1}

// Onto maps a rectangle of a size, at the origin, onto a quadrilateral. Perspective is ignored.
func Onto(q Quad, width, height float64) (Affine, error) {
	if !q.Valid() || width <= 0 || height <= 0 {
		return Affine{}, ErrQuad
	}
	o, right, down := q.corner(0), q.corner(1), q.corner(3)
	return Affine{
		xx: (right.X - o.X) / width, yx: (right.Y - o.Y) / width,
		xy: (down.X - o.X) / height, yy: (down.Y - o.Y) / height,
		dx: o.X, dy: o.Y,
	}, nil
}

// Apply maps a point.
func (m Affine) Apply(p Point) Point {
	return Point{m.xx*p.X + m.xy*p.Y + m.dx, m.yx*p.X + m.yy*p.Y + m.dy}
}

// After is the map that applies another one first.
func (m Affine) After(first Affine) Affine {
	d := m.Apply(Point{first.dx, first.dy})
	return Affine{
		xx: m.xx*first.xx + m.xy*first.yx, xy: m.xx*first.xy + m.xy*first.yy,
		yx: m.yx*first.xx + m.yy*first.yx, yy: m.yx*first.xy + m.yy*first.yy,
		dx: d.X, dy: d.Y,
	}
}

// Inverse is the inverse map; ok is false if there is none, because the map collapses the plane.
func (m Affine) Inverse() (back Affine, ok bool) {
	det := m.xx*m.yy - m.xy*m.yx
	if math.Abs(det) < 1e-9 {
		return Affine{}, false
	}
	back = Affine{xx: m.yy / det, xy: -m.xy / det, yx: -m.yx / det, yy: m.xx / det}
	back.dx = -(back.xx*m.dx + back.xy*m.dy)
	back.dy = -(back.yx*m.dx + back.yy*m.dy)
	return back, true
}
