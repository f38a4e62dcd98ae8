package ociref

import (
	"errors"
	"strings"
	"testing"
)

const digest = "sha256:9c82cbe576d1b9f9bb9b1b4a1d4ee0ec7e2c7e2b2c4f4bca8d1d9c5d1a0a7b3e"

func TestAReferenceIsReadAndWritten(t *testing.T) {
	for text, want := range map[string]Reference{
		"oci://registry.example/guard":                        {"registry.example", "guard", "", ""},
		"oci://registry.example:5000/org/guard:1.2":           {"registry.example:5000", "org/guard", "1.2", ""},
		"oci://127.0.0.1:5000/a/b__c/d-e.f@" + digest:         {"127.0.0.1:5000", "a/b__c/d-e.f", "", digest},
		"oci://[::1]:5000/guard:V_1@" + digest:                {"[::1]:5000", "guard", "V_1", digest},
		"oci://ghcr.io/org/policies/guard:latest-1@" + digest: {"ghcr.io", "org/policies/guard", "latest-1", digest},
	} {
		got, err := Parse(text)
		if err != nil || got != want || got.String() != text || DigestIn(text) != want.Digest {
			t.Errorf("%s is %+v (%v), written as %s", text, got, err, got)
		}
	}
}

func TestWhatIsNoReferenceIsRefusedWithoutBeingQuoted(t *testing.T) {
	for _, text := range []string{
		"", "oci://", "oci://host", "oci:///guard", "https://host/guard", "oci://me:HUNTER2@host/guard", "oci://host/guard?token=HUNTER2",
		"oci://host/Guard", "oci://host/guard:", "oci://host/guard@sha256:HUNTER2", "oci://host/guard@sha512:" + digest[7:], "oci://host/../guard",
		"oci://host//guard", "oci://host/guard:1@" + digest + "0", "oci://host/guard@" + strings.ToUpper(digest),
	} {
		if _, err := Parse(text); !errors.Is(err, ErrSyntax) || err.Error() != ErrSyntax.Error() || DigestIn(text) != "" {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func TestAReferenceIsBelowARegistryOrARepository(t *testing.T) {
	r, err := Parse("oci://registry.example/org/guard:1@" + digest)
	if err != nil {
		t.Fatal(err)
	}
	for place, want := range map[string]bool{
		"oci://registry.example": true, "oci://registry.example/": true, "oci://registry.example/org": true, "oci://registry.example/org/guard": true,
		"oci://registry.example/or": false, "oci://registry.example/org/guard/x": false, "oci://registry.example:443/org": false,
		"oci://registry": false, "https://registry.example/org": false, "/": false, "oci://": false,
	} {
		if r.IsBelow(place) != want {
			t.Errorf("%s is below %s: %t", r, place, !want)
		}
		if want && !IsPlace(place) {
			t.Errorf("%s is no place", place)
		}
	}
	for _, text := range []string{"oci://", "oci://host/a:1", "oci://u@host/a", "oci://host/a@" + digest} {
		if IsPlace(text) {
			t.Errorf("%s is a place", text)
		}
	}
}
