//go:build !(tinygo.wasm || wasip1)

package main

import "testing"

// The cases are of https://github.com/publicsuffix/list/blob/main/tests/test_psl.txt.
func TestSiteIsOneLabelMoreThanThePublicSuffix(t *testing.T) {
	for host, want := range map[string]string{
		"com": "", "example.com": "example.com", "b.example.com": "example.com", "a.b.example.com": "example.com",
		"example": "", "example.example": "example.example", "b.example.example": "example.example",
		"biz": "", "domain.biz": "domain.biz", "uk.com": "", "example.uk.com": "example.uk.com", "a.b.example.uk.com": "example.uk.com",
		"mm": "", "c.mm": "", "b.c.mm": "b.c.mm", "a.b.c.mm": "b.c.mm",
		"jp": "", "test.jp": "test.jp", "ac.jp": "", "test.ac.jp": "test.ac.jp", "kyoto.jp": "", "test.kyoto.jp": "test.kyoto.jp",
		"ide.kyoto.jp": "", "b.ide.kyoto.jp": "b.ide.kyoto.jp", "c.kobe.jp": "", "b.c.kobe.jp": "b.c.kobe.jp", "city.kobe.jp": "city.kobe.jp",
		"www.city.kobe.jp": "city.kobe.jp", "ck": "", "test.ck": "", "b.test.ck": "b.test.ck", "www.ck": "www.ck", "www.www.ck": "www.ck",
		"us": "", "k12.ak.us": "", "test.k12.ak.us": "test.k12.ak.us", "xn--85x722f.com.cn": "xn--85x722f.com.cn",
		"github.io": "", "a.b.github.io": "b.github.io", "192.0.2.1": "192.0.2.1", "[::1]": "[::1]", "": "",
	} {
		if got := site(host); got != want {
			t.Errorf("the site of %q is %q, want %q", host, got, want)
		}
	}
}

func TestTheListIsSorted(t *testing.T) {
	if len(suffixes)%hashBytes != 0 || len(suffixes) < 5000*hashBytes {
		t.Fatalf("it has %d bytes", len(suffixes))
	}
	for i := 1; i < len(suffixes)/hashBytes; i++ {
		if hashAt(i-1) >= hashAt(i) {
			t.Fatalf("entry %d is not above the one before it", i)
		}
	}
}

func FuzzSite(f *testing.F) {
	f.Add("a.b.co.uk")
	f.Add("..")
	f.Fuzz(func(t *testing.T, host string) {
		if got := site(host); len(got) > len(host) || host[len(host)-len(got):] != got {
			t.Errorf("the site of %q is %q", host, got)
		}
	})
}
