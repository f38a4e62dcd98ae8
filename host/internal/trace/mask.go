package trace

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/hermes-cdp/hermes-cdp/host/internal/page"
	"github.com/hermes-cdp/hermes-cdp/internal/pagetext"
	"github.com/hermes-cdp/hermes-cdp/internal/secret"
)

// minSecret is the length in bytes from which a secret is taken out of every text. A shorter one is part of too many
// words; it is taken out of the arguments that it was given in.
const minSecret = 4

// scrubber takes secrets out of texts.
type scrubber struct {
	secrets  []string
	replacer *strings.Replacer
}

// newScrubber takes out secrets, and what they look like in JSON, made visible, and in base 64.
func newScrubber(secrets []string) scrubber {
	secrets = slices.DeleteFunc(slices.Clone(secrets), func(s string) bool { return len(s) < minSecret })
	var forms []string
	for _, s := range secrets {
		quoted, _ := json.Marshal(s)    // a string always can be
		plain, _ := pagetext.Marshal(s) // as we write it
		forms = append(forms, s, unquoted(quoted), unquoted(plain), pagetext.Lines(s), pagetext.Line(s),
			base64.StdEncoding.EncodeToString([]byte(s)), base64.RawURLEncoding.EncodeToString([]byte(s)))
	}
	slices.SortFunc(forms, func(a, b string) int { return len(b) - len(a) }) // the first that matches wins
	var pairs []string
	for _, form := range slices.Compact(forms) {
		pairs = append(pairs, form, secret.Redacted)
	}
	return scrubber{secrets, strings.NewReplacer(pairs...)}
}

func unquoted(literal []byte) string {
	return string(bytes.TrimSpace(literal)[1 : len(bytes.TrimSpace(literal))-1])
}

// escaped match the parts of URLs and forms that have percent escapes, first those between slashes: everybody escapes
// other characters.
var escaped = []*regexp.Regexp{
	regexp.MustCompile(`[^\s/?&=#;"'<>]*(%[0-9A-Fa-f]{2}|\+)[^\s/?&=#;"'<>]*`), regexp.MustCompile(`[^\s?&=#;"'<>]*(%[0-9A-Fa-f]{2}|\+)[^\s?&=#;"'<>]*`),
}

// hide takes out the secrets.
func (s scrubber) hide(text string) string {
	if len(s.secrets) == 0 {
		return text
	}
	for _, parts := range escaped {
		text = parts.ReplaceAllStringFunc(text, func(part string) string {
			if s.isSecret(url.QueryUnescape(part)) || s.isSecret(url.PathUnescape(part)) {
				return secret.Redacted
			}
			return part
		})
	}
	return s.replacer.Replace(text)
}

func (s scrubber) isSecret(plain string, err error) bool {
	return err == nil && slices.ContainsFunc(s.secrets, func(hidden string) bool { return strings.Contains(plain, hidden) })
}

// text makes a text of others presentable: without secrets, all visible, and not too long.
func (s scrubber) text(text string, limit int) string {
	text = addresses.ReplaceAllStringFunc(strings.ToValidUTF8(text, "\uFFFD"), page.SafeURL)
	text = s.hide(text)
	if short := pagetext.Shorten(text, limit); short != text {
		text = short + "… (cut)"
	}
	return pagetext.Lines(text)
}

func (s scrubber) line(text string) string { return pagetext.Line(s.text(text, maxShort)) }

// url is an address without what may be secret.
func (s scrubber) url(address string) string { return s.line(page.SafeURL(address)) }

// addresses match the URLs in a text that may have secrets.
var addresses = regexp.MustCompile(`[a-zA-Z][a-zA-Z0-9+.-]*://[^\s"'<>]*[?@#][^\s"'<>]*`)

// arguments returns the JSON of arguments without what may be secret: the values of names such as password, those of
// headers with such a name, secrets in URLs, and the texts that the call typed.
func (s scrubber) arguments(given []byte, typed []string) string {
	decoder := json.NewDecoder(bytes.NewReader(given))
	decoder.UseNumber()
	var value any
	if decoder.Decode(&value) != nil {
		if len(bytes.TrimSpace(given)) == 0 {
			return ""
		}
		return "(they cannot be shown: they are too long, or not JSON)"
	}
	if object, ok := value.(map[string]any); ok && len(object) == 0 {
		return ""
	}
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(maskValue(value, typed)); err != nil {
		return ""
	}
	return s.text(strings.TrimSpace(out.String()), maxText)
}

func maskValue(value any, typed []string) any {
	switch v := value.(type) {
	case map[string]any:
		name, _ := v["name"].(string)
		for key, inner := range v {
			if secret.Name(key) && inner != nil || key == "value" && secret.Name(name) {
				v[key] = secret.Redacted
			} else {
				v[key] = maskValue(inner, typed)
			}
		}
	case []any:
		for i := range v {
			v[i] = maskValue(v[i], typed)
		}
	case string:
		if slices.Contains(typed, v) {
			return secret.Redacted
		}
	}
	return value
}
