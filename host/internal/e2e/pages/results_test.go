package pages

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host/agent"
	"github.com/hermes-cdp/hermes-cdp/host/internal/e2e/shared"
)

var refPattern = regexp.MustCompile(`@(e[0-9]+)`)

// ref is the ref of the first line of a snapshot that has a text; empty where there is none.
func ref(r agent.Result, text string) string {
	snapshot, _ := r.Structured["snapshot"].(string)
	for line := range strings.Lines(snapshot) {
		if found := refPattern.FindStringSubmatch(line); found != nil && strings.Contains(line, text) {
			return found[1]
		}
	}
	return ""
}

// show is a result as it leaves a server.
func show(r agent.Result) string { return r.Text + "\n" + shared.Dump(r.Structured) }

// lookUp is a member of a result, its path parted by dots, as JSON; null where there is none.
func lookUp(t *testing.T, r agent.Result, path string) string {
	t.Helper()
	return shared.LookUp(t, r.Structured, path)
}

// text is lookUp of a text.
func text(t *testing.T, r agent.Result, path string) string {
	t.Helper()
	var s string
	if err := json.Unmarshal([]byte(lookUp(t, r, path)), &s); err != nil {
		t.Errorf("%s is no text in %s", path, show(r))
	}
	return s
}

// want compares a member of a result, given as JSON.
func want(t *testing.T, r agent.Result, path, value string) {
	t.Helper()
	if got := lookUp(t, r, path); got != value {
		t.Errorf("%s is %s, want %s, in %s", path, got, value, show(r))
	}
}

// is fails the test unless got is what it should be.
func is[T comparable](t *testing.T, what string, got, wanted T) {
	t.Helper()
	if got != wanted {
		t.Errorf("%s: got %v, want %v", what, got, wanted)
	}
}

// Chromium leaves the article out of the link's name, so the link has none.
func TestALinkAroundAnArticleIsFoundByWhatItShows(t *testing.T) {
	w := newWorld(t, map[string]string{"/page": `<a href="#shoes"><article><h3>Running shoes</h3><p>$59</p></article></a>
<a href="#boots"><article><h3>Boots</h3><p>$99</p></article></a> <a href="#sale">Sale</a>`})
	w.open("/page")
	for name, to := range map[string]string{"Boots": `"#boots"`, "Running shoes $59": `"#shoes"`, "Sale": `"#sale"`} {
		w.good("browser_click", args{"role": "link", "name": name})
		is(t, name, w.js("location.hash"), to)
	}
	w.bad("browser_click", args{"role": "link", "name": "Running", "timeout_ms": 300}, "no_element")
	if r := w.good("browser_find", args{"role": "link", "name": "running"}); !strings.Contains(r.Text, "link") || strings.Contains(r.Text, "Boots") {
		t.Errorf("browser_find says %s", r.Text)
	}
}

// https://drafts.csswg.org/css-overflow-5/#scroll-navigation: the accessibility tree has the links, which no script
// sees. It is what a page with mathematics is read from.
func TestALinkThatStyleSheetsDrawIsNamedAsOne(t *testing.T) {
	w := newWorld(t, map[string]string{"/page": `<math><mi>x</mi></math><style>
#c { width: 200px; height: 50px; overflow-x: auto; display: flex; scroll-marker-group: after }
#c > p { flex: none; width: 200px } #c > p::scroll-marker { content: attr(title) }</style><div id=c><p title=first>one<p title=second>two</div>`})
	w.open("/page")
	r := w.shows(nil, `link "second"`)
	w.bad("browser_click", args{"ref": w.ref(r, `link "second"`), "timeout_ms": 1000}, "not_actionable", "scroll that element instead")
	w.good("browser_scroll", args{"selector": "#c", "direction": "right"})
}
