package network

import (
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host"
)

func TestWhatOfTheRequestsIsWanted(t *testing.T) {
	all := []host.Request{
		{Number: 1, URL: "https://a/x.js", Type: "script", Status: 200},
		{Number: 2, URL: "https://a/api/1", Type: "fetch", Status: 404},
		{Number: 3, URL: "https://b/api/2", Type: "fetch", Failure: "net::ERR_FAILED"},
		{Number: 4, URL: "https://b/api/(", Type: "xhr", Status: 503},
	}
	for _, c := range []struct {
		p    RequestsParams
		want string
	}{
		{RequestsParams{}, "1234"}, {RequestsParams{Filter: "api"}, "234"}, {RequestsParams{Filter: "/api/[0-9]/"}, "23"}, {RequestsParams{Filter: "("}, "4"},
		{RequestsParams{Filter: "/"}, "1234"}, {RequestsParams{Filter: "/api"}, "234"}, {RequestsParams{Type: "Fetch"}, "23"}, {RequestsParams{Status: "404"}, "2"},
		{RequestsParams{Status: "5xx"}, "4"}, {RequestsParams{Status: "200-404"}, "12"}, {RequestsParams{Failed: true}, "234"}, {RequestsParams{Since: "r2"}, "34"},
		{RequestsParams{Filter: "b/", Type: "fetch", Failed: true, Since: "r1"}, "3"},
	} {
		match, err := (&Kit{}).requestFilter(c.p)
		if err != nil {
			t.Errorf("%+v: %v", c.p, err)
			continue
		}
		got := ""
		for _, r := range all {
			if match(r) {
				got += string(rune('0' + r.Number))
			}
		}
		if got != c.want {
			t.Errorf("%+v: %s, want %s", c.p, got, c.want)
		}
	}
	for _, p := range []RequestsParams{{Filter: "/(/"}, {Status: "teapot"}, {Status: "9xx"}, {Status: "400-"}, {Since: "12"}, {Since: "r0"}, {Since: "r99999999999999999999"}} {
		if _, err := (&Kit{}).requestFilter(p); err == nil {
			t.Errorf("%+v is taken", p)
		}
	}
}
