package main

import (
	_ "embed" // for the list
	"strings"
)

// suffixes is the public suffix list as reduced by tools/publicsuffix: the hashes of all rules with more than one
// label, in ascending order.
//
//go:generate go -C ../../../tools/publicsuffix run .
//go:embed suffixes.bin
var suffixes string

const hashBytes = 6

// site returns the registrable domain of a host, which has one label more than its public suffix. It is empty for a
// public suffix. An IP address is its own site.
//
// https://github.com/publicsuffix/list/wiki/Format#algorithm
func site(host string) string {
	if isAddress(host) {
		return host
	}
	rest := len(host) - len(publicSuffix(host)) - 1 // without the suffix and its dot
	if rest < 0 {
		return ""
	}
	return host[strings.LastIndexByte(host[:rest], '.')+1:]
}

// publicSuffix goes from the longest name to the shortest, so the first rule that matches counts. Without one, the
// suffix is the last label.
func publicSuffix(host string) string {
	for name := host; name != ""; name = parent(name) {
		above := parent(name)
		switch {
		case above == "":
			return name
		case isRule("!" + name): // an exception: the suffix is the parent
			return above
		case isRule(name), isRule("*." + above):
			return name
		}
	}
	return ""
}

// parent removes the first label; the parent of the last label is empty.
func parent(name string) string {
	_, above, _ := strings.Cut(name, ".")
	return above
}

// isAddress tells an IP address from a name: the last label of a name never ends in a digit.
func isAddress(host string) bool {
	return host != "" && (host[0] == '[' || host[len(host)-1] >= '0' && host[len(host)-1] <= '9')
}

// isRule reports whether a rule is in the list.
func isRule(rule string) bool {
	want := hash(rule)
	low, high := 0, len(suffixes)/hashBytes
	for low < high {
		middle := (low + high) / 2
		switch got := hashAt(middle); {
		case got == want:
			return true
		case got < want:
			low = middle + 1
		default:
			high = middle
		}
	}
	return false
}

func hashAt(i int) (h uint64) {
	for _, b := range []byte(suffixes[i*hashBytes : (i+1)*hashBytes]) {
		h = h<<8 | uint64(b)
	}
	return h
}

// hash is 64-bit FNV-1a folded to 48 bits, as in tools/publicsuffix.
func hash(s string) uint64 {
	h := uint64(14695981039346656037)
	for i := range len(s) {
		h = (h ^ uint64(s[i])) * 1099511628211
	}
	return (h>>48 ^ h) & (1<<48 - 1)
}
