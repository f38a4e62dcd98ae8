//go:build !(tinygo.wasm || wasip1)

package main

import (
	"testing"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/sdk/request"
)

func TestTheListIsSortedAndItsCategoriesAreKnown(t *testing.T) {
	if len(domains)%recordBytes != 0 || len(domains)/recordBytes < 1500 {
		t.Fatalf("the list has %d bytes", len(domains))
	}
	for at := 0; at < len(domains); at += recordBytes {
		if at > 0 && hashAt(at-recordBytes) >= hashAt(at) || int(domains[at+hashBytes]) >= len(categories) {
			t.Fatalf("record %d is out of order, or of no category", at/recordBytes)
		}
	}
	for name, want := range map[string]string{"doubleclick.net": "ad", "google-analytics.com": "analytics", "googletagmanager.com": "tag-manager"} {
		if c, ok := categoryOf(name); !ok || categories[c] != want {
			t.Errorf("%s is of category %d (%t), want %s", name, c, ok, want)
		}
	}
}

func TestHosts(t *testing.T) {
	for origin, want := range map[string]string{
		"https://a.example:8443": "a.example", "http://[::1]:80": "[::1]", "http://[::1]": "[::1]", "null": "", "": "", "https://a.example.": "a.example",
	} {
		if got := hostOf(origin); got != want {
			t.Errorf("the host of %q is %q, want %q", origin, got, want)
		}
	}
	if within("notads.example", "ads.example") || !within("a.ads.example", "ads.example") || !within("ads.example", "ads.example") {
		t.Error("what is below a domain")
	}
}

func BenchmarkDecide(b *testing.B) {
	s, err := readSettings(nil)
	if err != nil {
		b.Fatal(err)
	}
	for name, origin := range map[string]string{"allowed": "https://static.assets.shop.example", "blocked": "https://stats.g.doubleclick.net"} {
		b.Run(name, func(b *testing.B) {
			e := request.Event{Origin: origin, TopOrigin: "https://shop.example", ResourceType: "script", FrameKind: abi.FrameKindTop}
			b.ReportAllocs()
			for b.Loop() {
				decide(&s, &e)
			}
		})
	}
}
