package config

import (
	"net/url"
	"regexp"
	"slices"
	"strings"
)

// Redacted stands where a secret was.
const Redacted = "[redacted]"

var (
	// secretName fits names under which people keep secrets.
	secretName = regexp.MustCompile(`(?i)(secret|token|passw|passphrase|credential|api[-_]?key|private[-_]?key|access[-_]?key|authorization|cookie)`)
	// embeddedURL fits an absolute URL inside of other text.
	embeddedURL = regexp.MustCompile(`[A-Za-z][A-Za-z0-9+.-]*://[^\s"'<>,;|]+`)
	// secretArgument fits --name=value; the name is the first group.
	secretArgument = regexp.MustCompile(`(?s)^(--?[\w-]+)=.*$`)
	// plainSegment fits a part of a path that is a word or a version, not a token.
	plainSegment = regexp.MustCompile(`^([a-z]{1,16}|v[0-9]{1,2})$`)
)

// RedactAddress removes what may be secret from the address of a browser: the user and password, the query, the fragment,
// and each part of the path that is more than a plain word. What is no address is redacted as a whole.
func RedactAddress(address string) string {
	if address == "" {
		return ""
	}
	withScheme := strings.Contains(address, "://")
	toParse := address
	if !withScheme {
		toParse = "//" + address
	}
	u, err := url.Parse(toParse)
	if err != nil || u.Host == "" || !withScheme && u.Port() == "" {
		return Redacted
	}
	var out strings.Builder
	if withScheme {
		out.WriteString(u.Scheme + "://")
	}
	if u.User != nil {
		out.WriteString(Redacted + "@")
	}
	out.WriteString(u.Host + redactPath(u.EscapedPath()))
	if u.RawQuery != "" || u.ForceQuery {
		out.WriteString("?" + Redacted)
	}
	if u.Fragment != "" {
		out.WriteString("#" + Redacted)
	}
	return out.String()
}

func redactPath(path string) string {
	segments := strings.Split(path, "/")
	for i, segment := range segments {
		if segment != "" && !plainSegment.MatchString(segment) {
			segments[i] = Redacted
		}
	}
	return strings.Join(segments, "/")
}

// RedactText applies [RedactAddress] to every URL in a text, and hides the value of an argument such as --token=x.
func RedactText(text string) string {
	if m := secretArgument.FindStringSubmatch(text); m != nil && secretName.MatchString(m[1]) {
		return m[1] + "=" + Redacted
	}
	return embeddedURL.ReplaceAllStringFunc(text, RedactAddress)
}

// redactValue returns what may be shown of the value at a path.
func redactValue(key Key, path []string, value any) any {
	if key.Type == TypeMap && slices.ContainsFunc(path[min(len(path), len(key.parts)):], secretName.MatchString) {
		return Redacted
	}
	switch v := value.(type) {
	case string:
		if key.format == "address" {
			return RedactAddress(v)
		}
		return RedactText(v)
	case []string:
		out := make([]string, len(v))
		for i, item := range v {
			out[i] = RedactText(item)
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
