package main

import _ "embed" // for the list

// domains is third-party-web as reduced by tools/adlist: for each domain the six bytes of its hash, in ascending order,
// and the index of its category.
//
//go:generate go -C ../../.. run ./tools/adlist
//go:embed domains.bin
var domains string

// categories are what a domain can be listed as.
var categories = [...]string{"ad", "analytics", "marketing", "social", "tag-manager", "customer-success"}

const (
	hashBytes   = 6
	recordBytes = hashBytes + 1
)

// categoryOf finds a domain in the list.
func categoryOf(name string) (category int, ok bool) {
	want := hash(name)
	low, high := 0, len(domains)/recordBytes
	for low < high {
		middle := (low + high) / 2
		at := middle * recordBytes
		switch got := hashAt(at); {
		case got == want:
			category = int(domains[at+hashBytes])
			return category, category < len(categories)
		case got < want:
			low = middle + 1
		default:
			high = middle
		}
	}
	return 0, false
}

func hashAt(at int) (h uint64) {
	for i := range hashBytes {
		h = h<<8 | uint64(domains[at+i])
	}
	return h
}

// hash is 64-bit FNV-1a folded to 48 bits. tools/adlist has the same function.
func hash(s string) uint64 {
	h := uint64(14695981039346656037)
	for i := range len(s) {
		h = (h ^ uint64(s[i])) * 1099511628211
	}
	return (h>>48 ^ h) & (1<<48 - 1)
}
