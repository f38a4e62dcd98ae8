package incident

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"slices"

	"github.com/hermes-cdp/hermes-cdp/abi/manifest"
	"github.com/hermes-cdp/hermes-cdp/host"
)

// Own tells the calls of the plugin in a directory from others: those under the name in its manifest, and those of the
// module that was built in the directory, under whatever name it serves.
type Own struct{ Name, SHA256 string }

// OwnOf reads the manifest of a directory; without one, Own is empty and every call is its own.
func OwnOf(dir string) Own {
	m, err := manifest.ReadFile(filepath.Join(dir, "manifest.json"))
	if err != nil {
		return Own{}
	}
	own := Own{Name: m.Name}
	if wasm, err := os.ReadFile(filepath.Join(dir, m.Name+".wasm")); err == nil {
		digest := sha256.Sum256(wasm)
		own.SHA256 = hex.EncodeToString(digest[:])
	}
	return own
}

// Calls are those of the list that are the plugin's own, in their order.
func (o Own) Calls(list []host.JournalEntry) []host.JournalEntry {
	if o.Name == "" {
		return list
	}
	return slices.DeleteFunc(slices.Clone(list), func(e host.JournalEntry) bool {
		return e.Plugin != o.Name && (o.SHA256 == "" || e.SHA256 != o.SHA256)
	})
}
