package page

import (
	"errors"
	"math"
)

// Point is a point in CSS pixels.
type Point struct{ X, Y float64 }

// quad is a quadrilateral as the DOM domain gives it: the corners clockwise from the top left, x before y.
type quad []float64

var errQuad = errors.New("the browser gave a box that is not a quadrilateral")

func (q quad) corner(i int) Point { return Point{q[2*i], q[2*i+1]} }

// valid reports whether it has four finite corners.
func (q quad) valid() bool {
	for _, v := range q {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return false
		}
	}
	return len(q) == 8
}

// middle is the mean of the corners.
func (q quad) middle() Point {
	var p Point
	for i := range 4 {
		p.X += q.corner(i).X / 4
		p.Y += q.corner(i).Y / 4
	}
	return p
}

// mapped is the quadrilateral after a map.
func (q quad) mapped(m affine) quad {
	var out quad
	for i := range 4 {
		p := m.apply(q.corner(i))
		out = append(out, p.X, p.Y)
	}
	return out
}

// bounds is the smallest rectangle around the corners.
func (q quad) bounds() rect {
	left, top := min(q[0], q[2], q[4], q[6]), min(q[1], q[3], q[5], q[7])
	return rect{left, top, max(q[0], q[2], q[4], q[6]) - left, max(q[1], q[3], q[5], q[7]) - top}
}

// quad is a rectangle as a quadrilateral.
func (r rect) quad() quad {
	return quad{r.x, r.y, r.x + r.width, r.y, r.x + r.width, r.y + r.height, r.x, r.y + r.height}
}

// area is in square pixels.
func (q quad) area() float64 {
	var twice float64
	for i := range 4 {
		a, b := q.corner(i), q.corner((i+1)%4)
		twice += a.X*b.Y - b.X*a.Y
	}
	return math.Abs(twice) / 2
}

// clickable is the middle of the first quadrilateral that has an area. An inline element that wraps has one for each
// line, and the middle of its bounding box may be outside all of them.
func clickable(quads []quad) (Point, bool) {
	for _, q := range quads {
		if q.valid() && q.area() >= 0.5 {
			return q.middle(), true
		}
	}
	return Point{}, false
}

// affine is an affine map of the plane: translation, scale, rotation and shear.
type affine struct{ xx, xy, yx, yy, dx, dy float64 }

var identity = affine{xx: 1, yy: 1}

// onto maps a rectangle of a size, at the origin, onto a quadrilateral. Perspective is ignored.
func onto(q quad, width, height float64) (affine, error) {
	if !q.valid() || width <= 0 || height <= 0 {
		return affine{}, errQuad
	}
	o, right, down := q.corner(0), q.corner(1), q.corner(3)
	return affine{
		xx: (right.X - o.X) / width, yx: (right.Y - o.Y) / width,
		xy: (down.X - o.X) / height, yy: (down.Y - o.Y) / height,
		dx: o.X, dy: o.Y,
	}, nil
}

// apply maps a point.
func (m affine) apply(p Point) Point {
	return Point{m.xx*p.X + m.xy*p.Y + m.dx, m.yx*p.X + m.yy*p.Y + m.dy}
}

// after is the map that applies another one first.
func (m affine) after(first affine) affine {
	d := m.apply(Point{first.dx, first.dy})
	return affine{
		xx: m.xx*first.xx + m.xy*first.yx, xy: m.xx*first.xy + m.xy*first.yy,
		yx: m.yx*first.xx + m.yy*first.yx, yy: m.yx*first.xy + m.yy*first.yy,
		dx: d.X, dy: d.Y,
	}
}

// inverse is the inverse map; ok is false if there is none, because the map collapses the plane.
func (m affine) inverse() (back affine, ok bool) {
	det := m.xx*m.yy - m.xy*m.yx
	if math.Abs(det) < 1e-9 {
		return affine{}, false
	}
	back = affine{xx: m.yy / det, xy: -m.xy / det, yx: -m.yx / det, yy: m.xx / det}
	back.dx = -(back.xx*m.dx + back.xy*m.dy)
	back.dy = -(back.yx*m.dx + back.yy*m.dy)
	return back, true
}
