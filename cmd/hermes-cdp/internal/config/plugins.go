package config

import (
	"slices"
	"strings"

	"github.com/hermes-cdp/hermes-cdp/internal/misspelt"
	"github.com/hermes-cdp/hermes-cdp/internal/ociref"
)

// checkMembers checks each member of a family, unless a value of it is wrong already.
func checkMembers[T any](r *reader, family string, members map[string]T, check func(name string, member T)) {
	for _, name := range sortedNames(members) {
		if !r.hasProblem(family + "." + name) {
			check(name, members[name])
		}
	}
}

// checkPlugin finds what is wrong between the keys of a plugin, which can come from different layers.
func (r *reader) checkPlugin(name string, p Plugin) {
	at := "plugins." + name
	if !r.modules && p.Path == "" && p.URL == "" && !slices.Contains(KnownPlugins(), name) { // mostly it is misspelt
		r.fail(ProblemBadValue, []string{"plugins", name, "path"}, r.originBelow(at),
			"%s has neither a path nor a url, and it is none of the plugins that need none (%s)%s",
			at, strings.Join(KnownPlugins(), ", "), misspelt.DidYouMean(nearest(name, KnownPlugins())))
	}
	if p.Path != "" && p.URL != "" {
		r.fail(ProblemBadValue, []string{"plugins", name, "url"}, r.originBelow(at+".url"),
			"%s.url is %q, but %s.path is given too: a module comes from one of them; set the other to an empty text", at, RedactAddress(p.URL), at)
	}
	if p.URL != "" && p.SHA256 == "" && !ociref.Is(p.URL) {
		r.fail(ProblemBadValue, []string{"plugins", name, "sha256"}, r.originBelow(at+".url"),
			"%s.sha256 is missing, and a module from %s.url is only run with the digest that it must have: 64 hexadecimal digits, as sha256sum prints them", at, at)
	}
	r.checkSigner(at, name, p)
}

// checkSigner finds a signer that is only named in part, for it could be anybody.
func (r *reader) checkSigner(at, name string, p Plugin) {
	s := p.Sigstore
	fail := func(key, problem string) {
		r.fail(ProblemBadValue, []string{"plugins", name, "sigstore", key}, r.originBelow(at+".sigstore"), "%s.sigstore.%s %s", at, key, problem)
	}
	switch {
	case s == Sigstore{}:
	case p.PublicKey != "":
		fail("issuer", "and "+at+".public_key exclude each other: a module is signed in one way")
	case s.Issuer == "":
		fail("issuer", "is missing: another provider could vouch for the same identity; give the URL of the OpenID Connect provider that has to")
	case (s.Identity == "") == (s.IdentityPattern == ""):
		fail("identity", "and "+at+".sigstore.identity_pattern: give one of them, the name that the certificate has")
	case s.TrustedRoot == "":
		fail("trusted_root", "is missing: give the trusted_root.json of the Sigstore instance, such as cosign trusted-root create makes")
	}
	if p.Signature != "" && p.PublicKey == "" && s == (Sigstore{}) {
		r.fail(ProblemBadValue, []string{"plugins", name, "public_key"}, r.originBelow(at+".signature"),
			"%s.public_key is missing, and without it or sigstore %s.signature is not looked at: give the second line of the .pub file that minisign made", at, at)
	}
}
