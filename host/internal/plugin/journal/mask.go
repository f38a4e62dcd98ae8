package journal

import (
	"cmp"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/hermes-cdp/hermes-cdp/host/internal/secret"
)

// Secrets are masked in files in two ways. What an event, a verdict or a configuration keeps under a name of secrets is
// replaced at its place; and so is the same text wherever else it occurs in the call. A module that only passes a secret
// on then decides on the masked call as it did on the real one.

const (
	// wholeSecret is the length in bytes from which another text that equals a secret is masked too: what is shorter is as
	// likely a word that has nothing to do with it.
	wholeSecret = 4
	// partSecret is the length from which a secret is masked inside of other texts.
	partSecret = 8
)

// secrets are texts to mask, with what takes their places. The first mask of a text stays.
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

// addAll adds what is in other already, with its masks.
func (s secrets) addAll(other secrets) {
	for text, mask := range other {
		if _, known := s[text]; !known {
			s[text] = mask
		}
	}
}

// forms are the ways in which a text is written inside of others: as it is, in addresses, and between the quotes of a script.
func forms(text string) []string {
	quoted, _ := json.Marshal(text) // of a string there always is one
	return []string{text, url.QueryEscape(text), url.PathEscape(text), string(quoted[1 : len(quoted)-1])}
}

// masked tells what of a text is shown.
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

// byLength gives the longest first: one secret can be a part of another.
func (s secrets) byLength() []string {
	list := make([]string, 0, len(s))
	for text := range s {
		list = append(list, text)
	}
	slices.SortFunc(list, func(a, b string) int { return cmp.Or(cmp.Compare(len(b), len(a)), strings.Compare(a, b)) })
	return list
}

// holds reports whether bytes that could not be read as a message hold a secret.
func (s secrets) holds(raw []byte) bool {
	for text := range s {
		if len(text) >= wholeSecret && strings.Contains(string(raw), text) {
			return true
		}
	}
	return false
}

// tokenMask stands for a token of the dialog bridge. It differs between the two tokens of a task, and passes through
// addresses and scripts unchanged, as a token does.
func tokenMask(key string) string {
	return "MASKED" + strings.ReplaceAll(strings.ToUpper(key), "_", "")
}

// maskFor is what stands for the text under a secret's name.
func maskFor(key string) string {
	switch key {
	case "pause_token", "request_token":
		return tokenMask(key)
	}
	return secret.Redacted
}

// find adds what a JSON text keeps under the names of secrets.
func (s secrets) find(text []byte) error {
	return walk(text, func(w *walker, token jsontext.Token) error {
		if token.Kind() == '"' && w.secretName != "" {
			s.add(token.String(), maskFor(w.secretName))
		}
		return nil
	})
}

// maskJSON gives the text with every secret masked, and whether there was one; find has seen it before. Numbers under a secret's name become 0;
// true, false and null tell nothing.
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

// walker goes through a JSON text and knows under which names it is.
type walker struct {
	isKey      bool
	secretName string   // the innermost name of a secret that the token is under; empty: none
	names      []string // secretName of each object and array that is open
	pending    string   // secretName of the value that follows a key
}

// walk calls visit with each token.
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

// under is the name of a secret that the open object or array is under.
func (w *walker) under() string {
	if len(w.names) == 0 {
		return ""
	}
	return w.names[len(w.names)-1]
}
