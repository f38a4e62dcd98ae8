package storagestate

import (
	"bytes"
	"encoding/base64"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/hermes-cdp/hermes-cdp/host/fault"
)

// lone is a string of JavaScript that no Go string can hold: half of a surrogate pair.
const lone = `{"cookies": [], "origins": [{"origin": "https://a.example", "localStorage": [{"name": "n", "value": "\ud800"}]}]}`

func TestAStateIsReadAndWrittenAsItWas(t *testing.T) {
	s, err := Parse([]byte(lone))
	if err != nil {
		t.Fatal(err)
	}
	file, err := s.Encode()
	if err != nil || !bytes.Contains(file, []byte(`"value": "\ud800"`)) {
		t.Errorf("%s, %v", file, err)
	}
	if sum := s.Summary(); sum.Cookies != 0 || len(sum.Origins) != 1 || sum.Origins[0].LocalStorage != 1 {
		t.Errorf("%+v", sum)
	}
}

func TestWhatIsNoStateIsRefusedWithoutItsValues(t *testing.T) {
	for _, file := range []string{
		"", "[]", `{"cookies": "secret"}`, `{"cookies": [{"name": "secret"}]}`, `{"cookies": [{"domain": "a", "sameSite": "secret"}]}`,
		`{"origins": [{"origin": "secret"}]}`, `{"origins": [{"origin": "https://user:secret@a.example"}]}`, `{"origins": [{"origin": "https://a.example/"}]}`,
		`{"origins": [{"origin": "file:///secret"}]}`, `{"origins": [{"origin": "https://a.example"}, {"origin": "https://a.example"}]}`,
		`{"origins": [{"origin": "https://a.example", "localStorage": [{"name": "secret", "value": 1}]}]}`,
		`{"origins": [{"origin": "https://a.example", "localStorage": [{"name": "secret"}]}]}`,
		`{"origins": [{"origin": "https://a.example", "localStorage": [], "indexedDB": [{"name": "secret"}]}]}`,
	} {
		if s, err := Parse([]byte(file)); !errors.Is(err, fault.ErrBadState) || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s is %+v, %v", file, s, err)
		}
	}
}

func TestEveryCutAndEveryChangedByteOfAnEncryptedFileIsNoticed(t *testing.T) {
	key, err := ParseKey(base64.StdEncoding.EncodeToString(make([]byte, 32)) + "\n")
	if err != nil {
		t.Fatal(err)
	}
	file := key.Seal([]byte(lone))
	if plain, err := key.Open(file); err != nil || string(plain) != lone {
		t.Fatalf("%q, %v", plain, err)
	}
	if other := key.Seal([]byte(lone)); bytes.Equal(file, other) {
		t.Error("two files of the same state are equal")
	}
	refused := func(what string, changed []byte) {
		t.Helper()
		if plain, err := key.Open(changed); plain != nil || !errors.Is(err, fault.ErrBadState) && !errors.Is(err, fault.ErrStateKey) {
			t.Errorf("%s: %q, %v", what, plain, err)
		}
	}
	for i := range file {
		changed := bytes.Clone(file)
		changed[i] ^= 1
		refused("changed", changed)
		refused("cut", file[:i])
	}
	refused("longer", append(bytes.Clone(file), 0))
}

func TestAKeyIs32BytesInBase64(t *testing.T) {
	for _, text := range []string{"secret", strings.Repeat("A", 40), strings.Repeat("A", 44), "AAAA"} {
		if _, err := ParseKey(text); !errors.Is(err, fault.ErrStateKey) || strings.Contains(err.Error(), text) {
			t.Errorf("%s: %v", text, err)
		}
	}
	if none, err := ParseKey(""); err != nil || string(none.Seal([]byte("plain"))) != "plain" {
		t.Errorf("no key: %v", err)
	}
}

func TestCookiesKeepTheirPartitionAndEndWithTheirTime(t *testing.T) {
	yes, later := true, 2e9
	cookies := []Cookie{
		{Name: "old", Domain: "a.example", Expires: 1},
		{Name: "session", Domain: "a.example", Expires: -1, SameSite: "Lax"},
		{Name: "part", Value: "v", Domain: ".b.example", Path: "/", Expires: later, Secure: true, HTTPOnly: true, SameSite: "None", PartitionKey: "https://top.example", CrossSiteAncestor: &yes},
	}
	set := ToBrowser(cookies, time.Unix(1e9, 0))
	if len(set) != 2 || set[0].Expires != nil || *set[1].Expires != later || set[1].PartitionKey.TopLevelSite != "https://top.example" {
		t.Errorf("%+v", set)
	}
	back := FromBrowser(append(set, BrowserCookie{Name: "opaque", PartitionKeyOpaque: true}))
	if len(back) != 2 || back[0].Expires != -1 || back[1].PartitionKey != "https://top.example" || !*back[1].CrossSiteAncestor || back[1].SameSite != "None" {
		t.Errorf("%+v", back)
	}
	if missing := Missing(set, []BrowserCookie{{Name: "part", Value: "another", Domain: ".b.example", Path: "/"}, set[0]}); len(missing) != 1 || missing[0] != ".b.example" {
		t.Errorf("missing are %v", missing)
	}
	for hosts, want := range map[string]int{"a.example": 1, "x.a.example": 0, "b.example": 1, "x.b.example": 1, "xb.example": 0} {
		if got := Of(FromBrowser(set), []string{hosts}); len(got) != want {
			t.Errorf("%s gets %+v", hosts, got)
		}
	}
}
