package geometry

import (
	"math"
	"math/rand/v2"
	"testing"
)

func near(a, b Point) bool { return math.Hypot(a.X-b.X, a.Y-b.Y) < 1e-6 }

// A rectangle that was moved, scaled and rotated maps its corners onto the quadrilateral, and back.
func TestOntoMapsCornersThereAndBack(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 1000 {
		width, height := 1+random.Float64()*1000, 1+random.Float64()*1000
		angle, scale := random.Float64()*7, 0.1+random.Float64()*3
		move := Point{random.Float64()*2000 - 1000, random.Float64()*2000 - 1000}
		turn := func(x, y float64) (float64, float64) {
			return move.X + scale*(x*math.Cos(angle)-y*math.Sin(angle)), move.Y + scale*(x*math.Sin(angle)+y*math.Cos(angle))
		}
		corners := [4]Point{{}, {X: width}, {width, height}, {Y: height}}
		q := Quad{}
		for _, c := range corners {
			x, y := turn(c.X, c.Y)
			q = append(q, x, y)
		}
		m, err := Onto(q, width, height)
		if err != nil {
			t.Fatal(err)
		}
		back, ok := m.Inverse()
		if !ok {
			t.Fatalf("%v has no inverse", m)
		}
		for i, c := range corners {
			if got := m.Apply(c); !near(got, q.corner(i)) {
				t.Fatalf("corner %d of %v: %v", i, q, got)
			}
			if got := m.After(m).Apply(c); !near(got, m.Apply(q.corner(i))) || m.After(Identity) != m {
				t.Fatalf("twice, corner %d: %v", i, got)
			}
			if got := back.Apply(q.corner(i)); math.Hypot(got.X-c.X, got.Y-c.Y) > 1e-3 {
				t.Fatalf("back from corner %d: %v, want %v", i, got, c)
			}
		}
		if got := q.area(); math.Abs(got-width*height*scale*scale) > 1e-3*got {
			t.Fatalf("the area is %v", got)
		}
	}
}

func TestABoxThatIsNone(t *testing.T) {
	for _, q := range []Quad{nil, {1, 2, 3}, {0, 0, 1, 0, 1, 1, 0, math.NaN()}, {0, 0, 1, 0, 1, 1, 0, math.Inf(1)}} {
		if _, err := Onto(q, 1, 1); err == nil {
			t.Errorf("%v was taken", q)
		}
	}
	if _, err := Onto(Quad{0, 0, 1, 0, 1, 1, 0, 1}, 0, 5); err == nil {
		t.Error("a frame without a width was taken")
	}
	flat, err := Onto(Quad{0, 0, 10, 0, 10, 0, 0, 0}, 10, 10)
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := flat.Inverse(); ok {
		t.Error("a flat frame has an inverse")
	}
}

func TestTheFirstPartWithAnAreaIsClicked(t *testing.T) {
	line := Quad{10, 10, 110, 10, 110, 30, 10, 30}
	for _, tc := range []struct {
		quads []Quad
		at    Point
		ok    bool
	}{
		{nil, Point{}, false}, {[]Quad{{5, 5, 5, 5, 5, 5, 5, 5}}, Point{}, false},
		{[]Quad{{5, 5, 5, 5, 5, 5, 5, 5}, line}, Point{60, 20}, true},
		{[]Quad{line, {0, 100, 20, 100, 20, 120, 0, 120}}, Point{60, 20}, true},
	} {
		if at, ok := Clickable(tc.quads); at != tc.at || ok != tc.ok {
			t.Errorf("%v: %v, %v", tc.quads, at, ok)
		}
	}
}
