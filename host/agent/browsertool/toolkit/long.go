package toolkit

import (
	"encoding/json"

	"github.com/hermes-cdp/hermes-cdp/internal/pagetext"
)

// A model pays for every character of a result, and its client may cut a long one. So what is long is kept in a file
// next to the pictures, of which the result has the path and the beginning.
const (
	// maxResult limits what is shown of a value, in characters, where nothing is kept.
	maxResult     = 65536
	MaxInline     = 16384    // bytes that need no file
	KeptBeginning = 2000     // characters that are shown of what has one
	MaxResultFile = 32 << 20 // bytes
)

// KeepValue returns a JSON value as it is shown. Of a long one that is the beginning, as a string, and there is a file
// with all of it, unless nothing is kept.
func (k *Kit) KeepValue(value json.RawMessage) (shown json.RawMessage, path string, cut bool, err error) {
	if len(value) <= MaxInline {
		return value, "", false, nil
	}
	text, ext := "", ".txt"
	if json.Unmarshal(value, &text) != nil {
		text, ext = string(value), ".json"
	}
	if len(value) <= MaxResultFile {
		path, err = k.KeepFile(ext, []byte(text))
	}
	limit := maxResult
	if path != "" {
		limit = KeptBeginning
	}
	if short := pagetext.ShortenRunes(text, limit); short != text {
		return Quote(short), path, true, err
	}
	return value, path, false, err
}

// Quote encodes a text as JSON, which cannot fail.
func Quote(text string) json.RawMessage {
	quoted, err := json.Marshal(text)
	if err != nil {
		panic(err)
	}
	return quoted
}
