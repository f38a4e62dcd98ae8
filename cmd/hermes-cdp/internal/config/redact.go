package config

import (
	"regexp"
	"slices"

	"github.com/hermes-cdp/hermes-cdp/internal/secret"
)

// Redacted stands where a secret was.
const Redacted = secret.Redacted

// secretArgument fits --name=value; the name is the first group.
var secretArgument = regexp.MustCompile(`(?s)^(--?[\w-]+)=.*$`)

// RedactAddress removes what may be secret from the address of a browser or a module; see [secret.Address].
func RedactAddress(address string) string { return secret.Address(address) }

// RedactText applies [RedactAddress] to every URL in a text, and hides the value of an argument such as --token=x.
func RedactText(text string) string {
	if m := secretArgument.FindStringSubmatch(text); m != nil && secret.Name(m[1]) {
		return m[1] + "=" + Redacted
	}
	return secret.URLs(text)
}

// redactValue returns what may be shown of the value at a path.
func redactValue(key Key, path []string, value any) any {
	if key.Type == TypeMap && !key.isSecretMap() && slices.ContainsFunc(path[min(len(path), len(key.parts)):], secret.Name) {
		return Redacted
	}
	switch v := value.(type) {
	case string:
		switch {
		case v != "" && (key.format == "secret" || key.isSecretMap() && !onlyReference.MatchString(v)):
			return Redacted
		case key.isSecretMap(), key.format == "regexp": // a pattern looks like a URL that cannot be parsed
			return v
		case key.format == "address", key.format == "proxy", key.format == "https or oci", key.format == "http":
			return RedactAddress(v)
		}
		return RedactText(v)
	case []string:
		out := make([]string, len(v))
		for i, item := range v {
			switch {
			case key.format != "credentials":
				out[i] = RedactText(item)
			case CredentialsPattern.MatchString(item): // it only has the names of variables
				out[i] = item
			default:
				out[i] = Redacted
			}
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, item := range v {
			out[i] = redactValue(key, path, item)
		}
		return out
	case map[string]any:
		out := make(map[string]any, len(v))
		for name, item := range v {
			out[name] = redactValue(key, append(slices.Clone(path), name), item)
		}
		return out
	default:
		return value
	}
}
