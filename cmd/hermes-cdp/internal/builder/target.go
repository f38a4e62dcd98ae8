package builder

import (
	_ "embed" // for the target
	"encoding/json"
	"fmt"
	"strings"
)

// tinygoTarget is tools/tinygo/unknown.json. go:embed cannot reach into the module of that directory; a test compares
// them.
//
//go:embed tinygo.json
var tinygoTarget []byte

// target describes to TinyGo the machine that a plugin runs on. The C library and the compiler's own functions come
// from Debian's packages where there are any, as they are what the shipped modules are built with; a released TinyGo
// has its own, which are taken otherwise.
func target(exists func(path string) bool) ([]byte, error) {
	var description map[string]any
	if err := json.Unmarshal(tinygoTarget, &description); err != nil {
		return nil, fmt.Errorf("the description of the target is not JSON: %w", err)
	}
	flags, _ := description["ldflags"].([]any)
	kept, missing := make([]any, 0, len(flags)), false
	for _, flag := range flags {
		if path, _ := flag.(string); !strings.HasPrefix(path, "/") {
			kept = append(kept, flag)
		} else if !exists(path) {
			missing = true
		}
	}
	if !missing {
		return tinygoTarget, nil
	}
	description["ldflags"] = kept
	description["rtlib"] = "compiler-rt"
	description["libc"] = "wasmbuiltins"
	return json.Marshal(description)
}
