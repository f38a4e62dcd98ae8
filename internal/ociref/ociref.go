// Package ociref reads the addresses of modules in registries of OCI artifacts.
package ociref

import (
	"errors"
	"regexp"
	"strings"
)

// Scheme is how such an address begins.
const Scheme = "oci://"

// ErrSyntax is the error of an address that is not one. It quotes nothing, since people write passwords into addresses.
var ErrSyntax = errors.New("it is not a reference such as oci://registry.example/policies/guard:1.2@sha256:DIGEST, " +
	"with the host of a registry, a repository in small letters, and a tag, a digest of 64 hexadecimal digits, or both")

// A Reference names a module in a registry. Nothing in it is secret: credentials come from files.
type Reference struct {
	Registry   string // a host, perhaps with a port
	Repository string
	Tag        string // empty: none
	Digest     string // of the manifest, with sha256: before it; empty: none
}

const word = `[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*`

// The grammar of names, tags and digests is that of
// https://github.com/opencontainers/distribution-spec/blob/v1.1.1/spec.md#pulling-manifests.
var pattern = regexp.MustCompile(`^oci://((?:[a-z0-9.-]+|\[[0-9a-f:]+\])(?::[0-9]{1,5})?)/(` + word + `(?:/` + word + `)*)` +
	`(?::([a-zA-Z0-9_][a-zA-Z0-9._-]{0,127}))?(?:@(sha256:[0-9a-f]{64}))?$`)

// Is reports whether a text is meant as such an address.
func Is(text string) bool { return strings.HasPrefix(text, Scheme) }

// Parse reads an address. The error is [ErrSyntax].
func Parse(text string) (Reference, error) {
	m := pattern.FindStringSubmatch(text)
	if m == nil {
		return Reference{}, ErrSyntax
	}
	return Reference{m[1], m[2], m[3], m[4]}, nil
}

// DigestIn is the digest of the manifest that an address names; empty: it names none.
func DigestIn(address string) string {
	r, err := Parse(address)
	if err != nil {
		return ""
	}
	return r.Digest
}

// IsBelow reports whether the reference is in a place: a registry, or a repository with everything below it.
func (r Reference) IsBelow(place string) bool {
	allowed, is := strings.CutPrefix(place, Scheme)
	name := r.Registry + "/" + r.Repository + "/"
	return is && strings.HasPrefix(name, strings.TrimSuffix(allowed, "/")+"/")
}

// String is the address.
func (r Reference) String() string {
	text := Scheme + r.Registry + "/" + r.Repository
	if r.Tag != "" {
		text += ":" + r.Tag
	}
	if r.Digest != "" {
		text += "@" + r.Digest
	}
	return text
}

var placePattern = regexp.MustCompile(`^oci://(?:[a-z0-9.-]+|\[[0-9a-f:]+\])(?::[0-9]{1,5})?(?:/` + word + `)*/?$`)

// IsPlace reports whether a text names a registry, or a repository in it, without a tag or a digest.
func IsPlace(text string) bool { return placePattern.MatchString(text) }
