package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"testing"
)

// packed is a package as npm's registry has it.
func packed(t *testing.T, list []entity) []byte {
	t.Helper()
	text, err := json.Marshal(list)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	zipped := gzip.NewWriter(&out)
	files := tar.NewWriter(zipped)
	if err := files.WriteHeader(&tar.Header{Name: entities, Mode: 0o600, Size: int64(len(text))}); err != nil {
		t.Fatal(err)
	}
	if _, err := files.Write(text); err != nil {
		t.Fatal(err)
	}
	if err := files.Close(); err != nil {
		t.Fatal(err)
	}
	if err := zipped.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func TestDomainsAreListedOnceInTheOrderOfTheirHashes(t *testing.T) {
	list, err := read(packed(t, []entity{
		{"ad", []string{"*.ads.example", "ads.example"}}, {"cdn", []string{"cdn.example"}}, {"social", []string{"like.example"}},
	}))
	if err != nil {
		t.Fatal(err)
	}
	out, err := reduce(list)
	if err != nil || len(out) != 2*recordBytes || bytes.Compare(out[:hashBytes], out[recordBytes:recordBytes+hashBytes]) >= 0 {
		t.Fatalf("%x, %v", out, err)
	}
	seen := map[byte]bool{out[hashBytes]: true, out[recordBytes+hashBytes]: true}
	if !seen[0] || !seen[3] {
		t.Errorf("the categories are %v", seen)
	}
}

func TestAPackageWithoutTheListIsRefused(t *testing.T) {
	if _, err := read([]byte("no archive")); err == nil {
		t.Error("it is read")
	}
}
