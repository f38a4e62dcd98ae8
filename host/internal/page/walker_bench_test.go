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
