package page

import (
	"strings"
	"testing"
	"time"
)

// What names an element may lead back to it, or to what names it many times: neither ends the walker, which would leave
// the page to the accessibility tree, nor does it take time that grows with each level.
func TestNamesThatLeadBackToTheirElementAreRead(t *testing.T) {
	nested := strings.Repeat("<div role=listbox><div role=option aria-selected=true>x ", 150)
	for name, html := range map[string]string{
		"a section named by its header": `<section aria-labelledby=h><header id=h><h2>Title</h2></header></section>`,
		"a section named by itself":     `<section id=s aria-labelledby=s><footer>Text</footer></section>`,
		"regions named by each other":   `<div role=region id=a aria-labelledby=b>one</div><div role=region id=b aria-labelledby=a>two</div>`,
		"groups named by each other":    `<svg><g id=a aria-labelledby=b></g><g id=b aria-labelledby=a></g></svg>`,
		"options that own each other": `<button><div id=n1><div role=listbox><div role=option aria-selected=true>p<div role=listbox aria-owns=n2></div></div></div></div>
<div id=n2><div role=listbox><div role=option aria-selected=true>q<div role=listbox aria-owns=n1></div></div></div></div></button>`,
		"lists within lists": `<button>` + nested + `</button>`,
	} {
		t.Run(name, func(t *testing.T) {
			c := newChromium(t)
			c.load(html + "<button>Read</button>")
			tree, err := Read(c, NewRefs(), 20*time.Second)
			if err != nil || len(tree.told) > 0 || tree.Root.Note != "" || tree.Elements == 0 {
				t.Errorf("%d elements, %d frames read from the accessibility tree, note %q (%v)", tree.Elements, len(tree.told), tree.Root.Note, err)
			}
		})
	}
}
