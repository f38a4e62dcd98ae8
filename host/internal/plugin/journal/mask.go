package journal

import (
	"cmp"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/hermes-cdp/hermes-cdp/internal/secret"
)

// Secrets are masked in files in two ways. What an event, a verdict or a configuration has under the name of a secret
// is replaced where it is, and so is the same text wherever else it occurs in the call. A module that only passes a
// secret on then decides on the masked call as it did on the real one.

const (
	// wholeSecret is the length in bytes from which another text that equals a secret is masked too. A shorter one may
	// well be an unrelated word.
	wholeSecret = 4
	// partSecret is the length from which a secret is masked inside other texts.
	partSecret = 8
)

// secrets maps texts to their masks. The first mask of a text stays.
type secrets map[string]string

func (s secrets) add(text, mask string) {
	if text == mask {
		return
	}
	for _, form := range forms(text) {
		if _, known := s[form]; !known && form != "" {
			s[form] = mask
		}
	}
}

// addAll adds other secrets with their masks.
func (s secrets) addAll(other secrets) {
	for text, mask := range other {
		if _, known := s[text]; !known {
			s[text] = mask
		}
	}
}

// forms are the ways in which a text appears inside others: as it is, in URLs, and quoted in scripts.
func forms(text string) []string {
	quoted, _ := json.Marshal(text) // a string can always be encoded
	return []string{text, url.QueryEscape(text), url.PathEscape(text), string(quoted[1 : len(quoted)-1])}
}

// masked returns a text with the secrets masked.
func (s secrets) masked(text string) string {
	if mask, ok := s[text]; ok && len(text) >= wholeSecret {
		return mask
	}
	for _, hidden := range s.byLength() {
		if len(hidden) < partSecret {
			break
		}
		text = strings.ReplaceAll(text, hidden, s[hidden])
	}
	return text
}

// byLength returns the longest first, as one secret can be a part of another.
func (s secrets) byLength() []string {
	list := make([]string, 0, len(s))
	for text := range s {
		list = append(list, text)
	}
	slices.SortFunc(list, func(a, b string) int { return cmp.Or(cmp.Compare(len(b), len(a)), strings.Compare(a, b)) })
	return list
}

// contains reports whether bytes that could not be decoded as a message contain a secret.
func (s secrets) contains(raw []byte) bool {
	for text := range s {
		if len(text) >= wholeSecret && strings.Contains(string(raw), text) {
			return true
		}
	}
	return false
}

// tokenMask replaces a token of the dialog bridge. It differs between the two tokens of a task, and is unchanged by
// encoding in URLs and scripts, as a token is.
func tokenMask(key string) string {
	return "MASKED" + strings.ReplaceAll(strings.ToUpper(key), "_", "")
}

// maskFor replaces the text under the name of a secret.
func maskFor(key string) string {
	switch key {
	case "pause_token", "request_token":
		return tokenMask(key)
	}
	return secret.Redacted
}

// find adds what a JSON text has under the names of secrets.
func (s secrets) find(text []byte) error {
	return walk(text, func(w *walker, token jsontext.Token) error {
		if token.Kind() == '"' && w.secretName != "" {
			s.add(token.String(), maskFor(w.secretName))
		}
		return nil
	})
}

// maskJSON returns the text with every secret masked, and whether there was one. find must have seen it before. Numbers
// under the name of a secret become 0; true, false and null reveal nothing.
func (s secrets) maskJSON(text []byte) (out []byte, changed bool, err error) {
	var b strings.Builder
	encoder := jsontext.NewEncoder(&b)
	err = walk(text, func(w *walker, token jsontext.Token) error {
		switch {
		case w.isKey:
		case token.Kind() == '"':
			shown := s.masked(token.String())
			if mask, ok := s[token.String()]; ok && w.secretName != "" {
				shown = mask
			}
			if shown != token.String() {
				changed, token = true, jsontext.String(shown)
			}
		case token.Kind() == '0' && w.secretName != "":
			changed, token = true, jsontext.Int(0)
		}
		return encoder.WriteToken(token)
	})
	return []byte(strings.TrimSuffix(b.String(), "\n")), changed, err
}

// walker walks through a JSON text and tracks the names that enclose the current token.
type walker struct {
	isKey      bool
	secretName string   // the innermost enclosing name of a secret; empty: none
	names      []string // secretName of each open object and array
	pending    string   // secretName of the value that follows a key
}

// walk calls visit for each token.
func walk(text []byte, visit func(*walker, jsontext.Token) error) error {
	decoder := jsontext.NewDecoder(strings.NewReader(string(text)))
	w := &walker{}
	for {
		kind, length := decoder.StackIndex(decoder.StackDepth())
		w.isKey = kind == '{' && length%2 == 0
		token, err := decoder.ReadToken()
		if err != nil {
			return fmt.Errorf("token: %w", err)
		}
		w.enter(token)
		if err := visit(w, token); err != nil {
			return err
		}
		w.leave(token)
		if decoder.StackDepth() == 0 {
			return nil
		}
	}
}

func (w *walker) enter(token jsontext.Token) {
	w.isKey = w.isKey && token.Kind() == '"'
	w.secretName = ""
	switch {
	case token.Kind() == '}' || token.Kind() == ']':
		w.names = w.names[:len(w.names)-1]
	case w.isKey:
		w.pending = w.under()
		if secret.Name(token.String()) {
			w.pending = token.String()
		}
	default:
		w.secretName = cmp.Or(w.pending, w.under())
	}
}

func (w *walker) leave(token jsontext.Token) {
	if w.isKey {
		return
	}
	if token.Kind() == '{' || token.Kind() == '[' {
		w.names = append(w.names, w.secretName)
	}
	w.pending = ""
}

// under is the name of a secret that encloses the open object or array.
func (w *walker) under() string {
	if len(w.names) == 0 {
		return ""
	}
	return w.names[len(w.names)-1]
}
