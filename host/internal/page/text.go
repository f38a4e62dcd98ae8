package page

import (
	"net/url"
	"strings"
	"unicode"

	"github.com/hermes-cdp/hermes-cdp/internal/pagetext"
	"github.com/hermes-cdp/hermes-cdp/internal/secret"
)

// MaxDescribed caps the name of an element in an error, in characters.
const MaxDescribed = 60

// Describe names an element for an error: button "Save".
func Describe(role, name string) string {
	if name = collapseSpace(name); name == "" {
		return role
	}
	text, _ := Clip(name, MaxDescribed)
	return role + " " + text
}

// Describe is the role and the name of a node, or else the hint.
func (n *Node) Describe() string {
	if n.Hint == "" || !isBlank(n.Name) {
		return Describe(n.Role, n.Name)
	}
	hint, _ := Clip(n.Hint, MaxDescribed)
	return n.Role + " [" + hintMark + hint + "]"
}

// ShownName is the name of an element, shortened, with nonprintable characters made visible.
func ShownName(n *Node) string { return pagetext.Line(shortName(n.Name)) }

// Clip quotes a text of a page as one line, and caps it at a number of characters; cut says whether that shortened it.
func Clip(text string, limit int) (quoted string, cut bool) {
	text = collapseSpace(text)
	short := pagetext.ShortenRunes(text, limit)
	if short == text {
		return pagetext.Quote(text), false
	}
	return pagetext.Quote(strings.TrimRight(short, " \u200c\u200d")) + "…", true
}

// blockBreak stands in a joined text where one block of the page ends and the next begins.
const blockBreak = "\u2029"

// clipBlocks is clip for a joined text, with quotes of its own for each block.
func clipBlocks(text string, limit int) (quoted string, cut bool) {
	var all []string
	for block := range strings.SplitSeq(text, blockBreak) {
		if block = collapseSpace(block); block == "" {
			continue
		}
		one, cut := Clip(block, limit)
		if all = append(all, one); cut {
			return strings.Join(all, " "), true
		}
		limit = max(limit-length(block)-len(`" "`), 0)
	}
	return strings.Join(all, " "), false
}

// collapseSpace makes each run of white space one space. The characters with which fonts draw icons count as white
// space: they say nothing.
func collapseSpace(text string) string {
	if isPlain(text) {
		return text
	}
	if !strings.ContainsFunc(text, func(r rune) bool { return r != ' ' && isGap(r) }) && !strings.Contains(text, "  ") {
		return strings.TrimSpace(text)
	}
	return strings.Join(strings.FieldsFunc(text, isGap), " ")
}

// isGap reports whether a character is white space, or one of private use.
func isGap(r rune) bool { return unicode.IsSpace(r) || r >= 0xe000 && unicode.Is(unicode.Co, r) }

// isBlank reports whether a text has nothing else.
func isBlank(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool { return !isGap(r) })
}

// isPlain reports whether a text has only printable ASCII characters, and single spaces between them.
func isPlain(text string) bool {
	last := byte(' ')
	for i := range len(text) {
		c := text[i]
		if c < ' ' || c > '~' || c == ' ' && last == ' ' {
			return false
		}
		last = c
	}
	return text == "" || last != ' '
}

// signatures are names of query parameters that hold the signature of a URL, in addition to those that package secret
// knows.
var signatures = map[string]bool{"sig": true, "signature": true, "x-amz-signature": true, "x-goog-signature": true, "key": true, "code": true}

// SafeURL is a URL without anything that may be secret: a password, or values of such query parameters. A data URL is
// cut to its media type.
func SafeURL(text string) string {
	if strings.HasPrefix(text, "data:") {
		mediaType, _, _ := strings.Cut(text, ",")
		return mediaType + ",…"
	}
	text, fragment, ok := strings.Cut(text, "#")
	if ok {
		fragment = "#" + safeQuery(fragment) // some sign-ins leave their tokens there
	}
	if !strings.ContainsAny(text, "?@") {
		return text + fragment
	}
	u, err := url.Parse(text)
	if err != nil {
		return secret.Redacted
	}
	if u.User != nil {
		u.User = url.User(secret.Redacted)
	}
	u.RawQuery = safeQuery(u.RawQuery)
	return strings.ReplaceAll(u.String(), url.PathEscape(secret.Redacted), secret.Redacted) + fragment
}

func safeQuery(query string) string {
	pairs := strings.Split(query, "&")
	for i, pair := range pairs {
		name, _, ok := strings.Cut(pair, "=")
		plain, err := url.QueryUnescape(name)
		if ok && (err != nil || secret.Name(plain) || signatures[strings.ToLower(plain)]) {
			pairs[i] = name + "=" + secret.Redacted
		}
	}
	return strings.Join(pairs, "&")
}
