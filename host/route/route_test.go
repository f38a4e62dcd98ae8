package route

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host/fault"
)

func TestTheNewestRuleThatMatchesDecides(t *testing.T) {
	var rules Table
	for _, r := range []Rule{
		{Pattern: "*", Block: true}, {Pattern: "https://a/*", ResourceType: "image", Block: true},
		{Pattern: "https://a/*", Method: "post", Block: true}, {Pattern: "https://a/once", Times: 2, Block: true},
	} {
		if _, err := rules.Add(r); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		request Request
		want    string
	}{
		{Request{"https://b/", "Fetch", "GET"}, "route1"}, {Request{"https://a/x.png", "Image", "GET"}, "route2"},
		{Request{"https://a/x", "Image", "POST"}, "route3"}, {Request{"https://a/x", "Fetch", "GET"}, "route1"},
		{Request{"https://a/once", "Fetch", "GET"}, "route4"}, {Request{"https://a/once", "Image", "POST"}, "route4"},
		{Request{"https://a/once", "Image", "GET"}, "route2"}, // it was good for two
		{Request{"file:///etc/passwd", "Document", "GET"}, ""}, {Request{"data:text/html,x", "Document", "GET"}, ""},
		{Request{"ws://a/", "WebSocket", "GET"}, ""}, {Request{"", "", ""}, ""},
	} {
		got := ""
		if r := rules.Decide(c.request); r != nil {
			got = r.ID
		}
		if got != c.want {
			t.Errorf("%+v: %q, not %q", c.request, got, c.want)
		}
	}
	matched := map[string]int{}
	for _, r := range rules.List() {
		matched[r.ID] = r.Matched
	}
	if want := map[string]int{"route1": 2, "route2": 2, "route3": 1, "route4": 2}; !reflect.DeepEqual(matched, want) {
		t.Errorf("they matched %v", matched)
	}
	if active, _ := rules.Active(); len(active) != 3 || active[0].ID != "route3" {
		t.Errorf("active are %+v", active)
	}
}

func TestOnlyRulesThatAreLeftArePaidFor(t *testing.T) {
	var rules Table
	version := func() int { _, v := rules.Active(); return v }
	if version() != 0 {
		t.Error("no rule has a version")
	}
	id, _ := rules.Add(Rule{Pattern: "*", Block: true, Times: 1})
	first := version()
	if first == 0 || rules.Decide(Request{URL: "http://a/"}) == nil || version() != 0 || rules.Decide(Request{URL: "http://a/"}) != nil {
		t.Error("a spent rule is still asked")
	}
	if err := rules.Remove(id); err != nil || len(rules.List()) != 0 {
		t.Error(err)
	}
	if err := rules.Remove(id); !errors.Is(err, fault.ErrBadArguments) || !strings.Contains(err.Error(), "route1") {
		t.Error(err)
	}
	for range MaxRules {
		if _, err := rules.Add(Rule{Pattern: "*", Block: true}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := rules.Add(Rule{Pattern: "*", Block: true}); !errors.Is(err, fault.ErrBadArguments) || !strings.Contains(err.Error(), "100 rules") {
		t.Error(err)
	}
	if err := rules.Remove(""); err != nil || version() != 0 {
		t.Error(err)
	}
	if next, _ := rules.Add(Rule{Pattern: "*", Block: true}); next != "route102" {
		t.Errorf("an id comes again: %s", next)
	}
}

func TestAnInvalidRuleNamesItsPart(t *testing.T) {
	fulfil := func(r Response) Rule { return Rule{Pattern: "*", Fulfil: &r} }
	change := func(h Headers) Rule { return Rule{Pattern: "*", Change: &h} }
	for part, list := range map[string][]Rule{
		"pattern": {
			{Block: true}, {Pattern: "file:///*", Block: true}, {Pattern: "Chrome://*", Block: true}, {Pattern: "ws://a/*", Block: true},
			{Pattern: strings.Repeat("a", 9000), Block: true},
		},
		"resource_type":  {{Pattern: "*", ResourceType: "picture", Block: true}, {Pattern: "*", ResourceType: "websocket", Block: true}},
		"method":         {{Pattern: "*", Method: "G T", Block: true}},
		"times":          {{Pattern: "*", Times: -1, Block: true}},
		"do":             {{Pattern: "*"}, {Pattern: "*", Block: true, Fulfil: &Response{Status: 200}}},
		"status":         {fulfil(Response{}), fulfil(Response{Status: 101}), fulfil(Response{Status: 600})},
		"body":           {fulfil(Response{Status: 200, Body: make([]byte, MaxBody+1)})},
		"remove_headers": {change(Headers{Remove: []string{"a b"}})},
		"headers": {
			change(Headers{}), change(Headers{Set: map[string]string{"a:": "b"}}), change(Headers{Set: map[string]string{"a": "b\r\nc: d"}}),
			fulfil(Response{Status: 200, Headers: map[string]string{"": "x"}}), fulfil(Response{Status: 200, Headers: map[string]string{"a": strings.Repeat("x", 70000)}}),
		},
	} {
		for _, r := range list {
			var bad *BadRuleError
			if err := r.Check(); !errors.As(err, &bad) || bad.Part != part || bad.Problem == "" || !errors.Is(err, fault.ErrBadArguments) {
				t.Errorf("%s: %+v is %v", part, r, err)
			}
		}
	}
	for _, r := range []Rule{
		{Pattern: "HTTPS://a/*", Block: true}, {Pattern: "*:8080/x", ResourceType: "xhr", Method: "PURGE", Times: 3, Block: true},
		fulfil(Response{Status: 299, Body: make([]byte, MaxBody)}), change(Headers{Remove: []string{"Cookie"}}),
	} {
		if err := r.Check(); err != nil {
			t.Errorf("%+v: %v", r, err)
		}
	}
}

func TestHeadersAreSetAndRemovedInAnyCase(t *testing.T) {
	h := Headers{Set: map[string]string{"X-New": "1", "user-agent": "mine"}, Remove: []string{"COOKIE"}}
	got := h.Apply([]Header{{"Accept", "*/*"}, {"Cookie", "a=b"}, {"User-Agent", "theirs"}})
	if want := []Header{{"Accept", "*/*"}, {"X-New", "1"}, {"user-agent", "mine"}}; !reflect.DeepEqual(got, want) {
		t.Errorf("%v", got)
	}
}
