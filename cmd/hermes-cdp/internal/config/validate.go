package config

import (
	"encoding/base64"
	"fmt"
	"math"
	"net"
	"net/netip"
	"net/url"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/hermes-cdp/hermes-cdp/internal/misspelt"
	"github.com/hermes-cdp/hermes-cdp/internal/netrules"
	"github.com/hermes-cdp/hermes-cdp/internal/ociref"
	"github.com/hermes-cdp/hermes-cdp/internal/profilename"
	"github.com/hermes-cdp/hermes-cdp/internal/scheme"
)

var variablePattern = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_()]*\*?$`)

var (
	// CredentialsPattern fits an item of `browser.credentials`; its groups are the scheme, the names of the variables with
	// the user and the password, and the host.
	CredentialsPattern = regexp.MustCompile(`^(https?)://\$\{([A-Za-z_][A-Za-z0-9_]*)\}:\$\{([A-Za-z_][A-Za-z0-9_]*)\}@([a-z0-9.-]+(?::[0-9]+)?|\[[0-9a-f:.]+\](?::[0-9]+)?)$`)
	levelPattern       = regexp.MustCompile(`^[A-Za-z0-9_.-]+(/[A-Za-z0-9_.-]+)*=(debug|info|warn|error)$`)
	permissionPattern  = regexp.MustCompile(`^https?://[^ /@]+ [a-z-]+$`)
)

// isPlace reports whether a text is a latitude and a longitude.
func isPlace(text string) bool {
	parts := strings.Fields(text)
	if len(parts) != 2 {
		return false
	}
	latitude, err := strconv.ParseFloat(parts[0], 64)
	longitude, err2 := strconv.ParseFloat(parts[1], 64)
	return err == nil && err2 == nil && math.Abs(latitude) <= 90 && math.Abs(longitude) <= 180
}

var sha256Pattern = regexp.MustCompile(`^[0-9a-fA-F]{64}$`)

// validate checks a value that has the key's type; the error says what is allowed. An empty text is always allowed: it
// means the default.
func validate(key Key, value any) error {
	switch v := value.(type) {
	case string:
		if v == "" {
			return nil
		}
		return validateText(key, v)
	case int:
		return validateNumber(key, float64(v))
	case float64:
		return validateNumber(key, v)
	case []string:
		return validateList(key, v)
	case map[string]any:
		switch {
		case key.format == "toolsets":
			return validateToolsets(v)
		case key.isSecretMap():
			return validateSecrets(key, v)
		}
	}
	return nil
}

// validateBelow checks a value in a map, under the name that is left of its path.
func validateBelow(key Key, name []string, value any) error {
	switch {
	case key.format == "toolsets":
		return validateToolset(name, value)
	case key.isSecretMap():
		return validateSecret(key, strings.Join(name, "."), value)
	}
	return nil
}

func validateList(key Key, list []string) error {
	if key.format == "networks" {
		if _, err := netrules.Parse(list); err != nil {
			return err
		}
	}
	for _, text := range list {
		if hasNUL(text) {
			return fmt.Errorf("must not contain a NUL byte")
		}
		if len(key.Allowed) > 0 && !slices.Contains(key.Allowed, text) {
			return fmt.Errorf("%q in it is none of %s%s", RedactText(text), strings.Join(key.Allowed, ", "), misspelt.DidYouMean(nearest(text, key.Allowed)))
		}
		if key.format == "places" && (text == "" || strings.Contains(text, "://") && !isHTTPS(text) && !ociref.IsPlace(text)) {
			return fmt.Errorf("%q in it is not a place; want files, directories, https:// URLs, registries such as oci://registry.example/policies, or the word %s", RedactText(text), placeShipped)
		}
		if _, err := path.Match(text, ""); key.format == "globs" && err != nil {
			return fmt.Errorf("%q in it is no pattern: a [ has no ], or a \\ has nothing after it", text)
		}
		switch {
		case key.format == "schemes":
			if err := scheme.CheckName(text); err != nil {
				return err
			}
		case key.format == "variables" && !variablePattern.MatchString(text):
			return fmt.Errorf("%q in it is not the name of a variable, with or without a * at the end", RedactText(text))
		case key.format == "credentials" && !CredentialsPattern.MatchString(text): // not quoted, as it may be a password
			return fmt.Errorf("must be origins with the names of two variables, such as https://${USER}:${PASSWORD}@intranet.example, and nothing after the host")
		case key.format == "levels" && !levelPattern.MatchString(text):
			return fmt.Errorf("%q in it is not a package and a level, such as engine=debug; the levels are debug, info, warn, error", RedactText(text))
		case key.format == "permissions" && !permissionPattern.MatchString(text):
			return fmt.Errorf("%q in it is not an origin and a permission, such as https://maps.example geolocation", RedactText(text))
		case key.format == "paths" && text == "":
			return fmt.Errorf("an empty text in it is not a directory")
		}
	}
	return nil
}

// placeShipped stands for the modules that hermes-cdp ships.
const placeShipped = "shipped"

func hasNUL(s string) bool { return strings.ContainsRune(s, 0) }

func validateText(key Key, text string) error {
	if len(key.Allowed) > 0 && !slices.Contains(key.Allowed, text) {
		return fmt.Errorf("must be one of %s%s", strings.Join(key.Allowed, ", "), misspelt.DidYouMean(nearest(text, key.Allowed)))
	}
	if key.format == "regexp" {
		if _, err := regexp.Compile(text); err != nil {
			return fmt.Errorf("must be a regular expression (https://github.com/google/re2/wiki/Syntax): %w", err)
		}
		return nil
	}
	switch {
	case hasNUL(text):
		return fmt.Errorf("must not contain a NUL byte")
	case key.format == "profile" && !profilename.Valid(text):
		return fmt.Errorf("must be %s", profilename.Rule)
	case key.format == "geolocation" && !isPlace(text):
		return fmt.Errorf("must be a latitude from -90 to 90 and a longitude from -180 to 180, such as 52.52 13.405")
	case key.format == "sha256" && !sha256Pattern.MatchString(text):
		return fmt.Errorf("must be 64 hexadecimal digits")
	case key.format == "address" && !isAddress(text):
		return fmt.Errorf("must be an address such as ws://host:port/path, wss://host/path, http://host:port, https://host or host:port, a port of this machine, or running")
	case key.format == "https or oci" && ociref.Is(text):
		return checkReference(text)
	case key.format == "https or oci" && !isHTTPS(text):
		return fmt.Errorf("must be an https:// address with a host, or an oci:// reference: what comes by another way could be replaced on the way")
	case key.format == "path or https" && strings.Contains(text, "://") && !isHTTPS(text):
		return fmt.Errorf("must be an https:// address with a host: what comes by another way could be replaced on the way")
	case key.format == "http" && !isHTTP(text):
		return fmt.Errorf("must be an http:// or https:// address with a host")
	case key.format == "proxy" && !isProxy(text):
		return fmt.Errorf("must be a proxy such as http://host:port, https://host:port, socks5://host:port or socks5h://host:port, perhaps with user:password@ before the host")
	case key.format == "pointer" && !strings.HasPrefix(text, "/"):
		return fmt.Errorf("must be a JSON Pointer, which begins with /, such as /session/id")
	case key.format == "minisign" && !isMinisignKey(text):
		return fmt.Errorf("must be a minisign public key, the second line of its .pub file: 56 characters of base64 that begin with RW")
	case key.format == "listen" && text != "off" && !isListen(text):
		return fmt.Errorf("must be a host and a port, such as 127.0.0.1:9334, or off")
	case key.format == "metrics" && !isListen(text) && !isListen("127.0.0.1"+text):
		return fmt.Errorf("must be a host and a port, such as 127.0.0.1:9464, or a port of this machine, such as :9464")
	case key.format == "loopback" && !IsLoopback(text):
		return fmt.Errorf("must be a loopback address and a port, such as 127.0.0.1:9333: who reaches it controls the browsers")
	}
	return nil
}

// checkReference refuses a reference that can lead to another module tomorrow.
func checkReference(text string) error {
	ref, err := ociref.Parse(text)
	switch {
	case err != nil:
		return fmt.Errorf("cannot be read: %w", err)
	case ref.Digest == "":
		return fmt.Errorf("must have the digest of the manifest (@sha256:...), because a tag can change; hermes-cdp plugin inspect %s shows it", ref)
	}
	return nil
}

func isListen(text string) bool {
	host, port, err := net.SplitHostPort(text)
	number, portErr := strconv.ParseUint(port, 10, 16)
	return err == nil && host != "" && portErr == nil && number <= 65535
}

func validateNumber(key Key, n float64) error {
	if math.IsNaN(n) || n < key.Min || n > key.Max {
		return fmt.Errorf("must be from %s to %s", formatNumber(key.Min), formatNumber(key.Max))
	}
	return nil
}

func formatNumber(n float64) string { return strconv.FormatFloat(n, 'f', -1, 64) }

func isHTTPS(text string) bool {
	u, err := url.Parse(text)
	return err == nil && u.Scheme == "https" && u.Hostname() != ""
}

func isHTTP(text string) bool {
	u, err := url.Parse(text)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Hostname() != ""
}

func isProxy(text string) bool {
	u, err := url.Parse(text)
	return err == nil && u.Hostname() != "" && slices.Contains([]string{"http", "https", "socks5", "socks5h"}, u.Scheme) &&
		strings.Trim(u.Path, "/") == "" && u.RawQuery == "" && u.Fragment == ""
}

// isMinisignKey tells whether a text is a public key of minisign: the algorithm Ed, an id of 8 bytes, an Ed25519 key of
// 32.
//
// https://jedisct1.github.io/minisign/
func isMinisignKey(text string) bool {
	key, err := base64.StdEncoding.DecodeString(text)
	return err == nil && len(key) == 42 && string(key[:2]) == "Ed"
}

// IsLoopback tells whether only this machine can reach an address. A name other than localhost could be anywhere.
func IsLoopback(text string) bool {
	host, port, err := net.SplitHostPort(text)
	if err != nil {
		return false
	}
	if _, err := strconv.ParseUint(port, 10, 16); err != nil {
		return false
	}
	ip, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && ip.IsLoopback()
}

// isAddress tells whether a text is an address at which a browser can be.
func isAddress(text string) bool {
	if text == "running" { // see host.Running
		return true
	}
	if !strings.Contains(text, "://") {
		if n, err := strconv.ParseUint(text, 10, 16); err == nil {
			return n > 0
		}
		host, port, err := net.SplitHostPort(text)
		if err != nil || host == "" || strings.ContainsAny(host, "/?#@ ") {
			return false
		}
		n, err := strconv.ParseUint(port, 10, 16)
		return err == nil && n > 0
	}
	u, err := url.Parse(text)
	return err == nil && u.Hostname() != "" && slices.Contains([]string{"ws", "wss", "http", "https"}, u.Scheme)
}
