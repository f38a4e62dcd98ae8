package plugin

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/abi/manifest"
	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin/wasmfile"
)

// Manifest decodes the manifest of a module; nil if it has none. The error says that the section exists but is not
// readable.
func Manifest(f *wasmfile.File) (*abi.Manifest, error) {
	section, ok := f.Custom(abi.ManifestSection)
	if !ok {
		return nil, nil
	}
	var m abi.Manifest
	if err := m.Unmarshal(section); err != nil {
		return nil, fmt.Errorf("the section %s is not a manifest (%w); write it again with `hermes-cdp plugin pack`",
			abi.ManifestSection, err)
	}
	return &m, nil
}

// NoManifest is the remark on a module without a manifest.
const NoManifest = "it has no manifest; `hermes-cdp plugin pack` adds one"

// checkManifest checks the manifest and compares it with the exports, because operators rely on it. A module without a
// manifest is accepted with a remark, and so is one that asks for more than it is granted, or for less than it imports.
func checkManifest(f *wasmfile.File, granted []abi.Capability) (remark string, err error) {
	if err := checkGrants(granted); err != nil {
		return "", err
	}
	m, err := Manifest(f)
	if err != nil {
		return "", err
	}
	if m == nil {
		return remarks(NoManifest, ungranted(f, nil, granted)), nil
	}
	if err := manifest.Validate(m); err != nil {
		return "", fmt.Errorf("%w; write it again with `hermes-cdp plugin pack`", err)
	}
	return remarks(ungranted(f, m, granted), unasked(f, m)), compareHooks(m, HooksOf(f))
}

func remarks(all ...string) string {
	return strings.Join(slices.DeleteFunc(all, func(remark string) bool { return remark == "" }), "; ")
}

func compareHooks(m *abi.Manifest, exported []abi.Hook) error {
	var problems []error
	for _, name := range m.Hooks {
		if !slices.Contains(exported, abi.Hook(name)) {
			problems = append(problems, fmt.Errorf("the manifest names the hook %s, which is not exported", printable(name)))
		}
	}
	for _, hook := range exported {
		if !slices.Contains(m.Hooks, string(hook)) {
			problems = append(problems, fmt.Errorf("the hook %s is exported, but the manifest does not name it", hook))
		}
	}
	return errors.Join(problems...)
}

// checkGrants rejects capabilities that do not exist, which are typos in the configuration.
func checkGrants(granted []abi.Capability) error {
	for _, c := range granted {
		if !slices.Contains(abi.Capabilities(), c) {
			return fmt.Errorf("capabilities: grants %q, which does not exist; known are %v", printable(string(c)), abi.Capabilities())
		}
	}
	return nil
}

// ungranted lists what the module asks for or imports and will not get, for people; empty if there is nothing.
func ungranted(f *wasmfile.File, m *abi.Manifest, granted []abi.Capability) string {
	asked := without(AskedBy(m), granted)
	var parts []string
	if len(asked) > 0 {
		parts = append(parts, "its manifest asks for "+strings.Join(asked, ", "))
	}
	if imports := importsThatNeed(f, without(abi.Capabilities(), slices.Concat(AskedBy(m), granted))); imports != "" {
		parts = append(parts, "it imports "+imports)
	}
	if len(parts) == 0 {
		return ""
	}
	return strings.Join(parts, ", and ") + ", which is not granted: calls that need it are denied; grant it in capabilities of the plugin"
}

// unasked lists the imports of capabilities that the manifest does not ask for, for people; empty if there are none.
func unasked(f *wasmfile.File, m *abi.Manifest) string {
	imports := importsThatNeed(f, without(abi.Capabilities(), AskedBy(m)))
	if imports == "" {
		return ""
	}
	return "its manifest does not ask for what it imports, " + imports + ": add that to its capabilities, so that operators see it"
}

// importsThatNeed lists the imports that need one of the capabilities, each with what it needs.
func importsThatNeed(f *wasmfile.File, capabilities []string) string {
	var list []string
	for i := range hostFunctions {
		h := &hostFunctions[i]
		if h.needs != "" && slices.Contains(capabilities, string(h.needs)) && slices.ContainsFunc(f.Imports, func(i wasmfile.Import) bool {
			return i.Module == abi.ImportModule && i.Name == h.name
		}) {
			list = append(list, fmt.Sprintf("%s (%s)", h.name, h.needs))
		}
	}
	return strings.Join(list, ", ")
}

// without lists the capabilities that the others are not.
func without(capabilities, others []abi.Capability) []string {
	var rest []string
	for _, c := range capabilities {
		if !slices.Contains(others, c) {
			rest = append(rest, string(c))
		}
	}
	return rest
}

// AskedBy lists the capabilities that a manifest asks for.
func AskedBy(m *abi.Manifest) []abi.Capability {
	if m == nil {
		return nil
	}
	var capabilities []abi.Capability
	for _, c := range m.Capabilities {
		capabilities = append(capabilities, abi.Capability(c))
	}
	return capabilities
}
