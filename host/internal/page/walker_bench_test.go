package page

import (
	"fmt"
	"strings"
	"testing"
)

// BenchmarkReading reads pages in both ways, so that they can be compared on one machine at one time.
func BenchmarkReading(b *testing.B) {
	c := newChromium(b)
	for _, elements := range []int{1000, 10_000} {
		var html strings.Builder
		for i := range elements / 2 {
			fmt.Fprintf(&html, "<li><button>Order number %d</button></li>", i)
		}
		for _, way := range []struct {
			name string
			content
		}{{"accessibility tree", content{tree: true, layout: true}}, {"walker", content{walk: true}}} {
			b.Run(fmt.Sprintf("%d elements by the %s", elements, way.name), func(b *testing.B) {
				c.load("<ul>" + html.String() + "</ul>")
				b.ReportAllocs()
				for b.Loop() {
					r, err := gather(c, 0, way.content)
					if err != nil {
						b.Fatal(err)
					}
					if t := build(r); t.Elements < elements {
						b.Fatalf("%d elements", t.Elements)
					}
				}
			})
		}
	}
}

// BenchmarkReadingAgain reads a page of which one field has changed: all of it, and only what has changed.
func BenchmarkReadingAgain(b *testing.B) {
	c := newChromium(b)
	for _, elements := range []int{1000, 10_000} {
		var html strings.Builder
		for i := range elements / 2 {
			fmt.Fprintf(&html, "<li><button>Order number %d</button></li>", i)
		}
		for _, sheet := range []string{"", "<style>li { margin: 1px } button { color: red } .new::before { content: 'New' }</style>"} {
			for _, whole := range []bool{true, false} {
				b.Run(fmt.Sprintf("%d elements, style=%t, whole=%t", elements, sheet != "", whole), func(b *testing.B) {
					c.load(sheet + `<input id=f aria-label=Note value=0><ul id=l></ul>`)
					c.value(fmt.Sprintf("l.innerHTML = %q", html.String()))
					refs, changes := NewRefs(), 0
					b.ReportAllocs()
					for b.Loop() {
						b.StopTimer()
						changes++
						c.value(fmt.Sprintf("f.value = %d; new Promise(requestAnimationFrame)", changes))
						if whole {
							refs = NewRefs()
						}
						b.StartTimer()
						t, err := Read(c, refs, 0)
						if err != nil || t.Elements < elements {
							b.Fatal(err)
						}
					}
				})
			}
		}
	}
}
