package plugin

import (
	"errors"
	"fmt"
	"slices"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin/wasmfile"
)

// Manifest decodes the manifest of a module. It returns nil when the module has none. The error says that the section is
// there and not readable.
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

// checkManifest compares the manifest with the exports: an operator reads the manifest and must be able to believe it.
// A module without one is accepted, with a remark.
func checkManifest(f *wasmfile.File) (remark string, err error) {
	m, err := Manifest(f)
	if err != nil {
		return "", err
	}
	if m == nil {
		return "it has no manifest; `hermes-cdp plugin pack` adds one", nil
	}
	exported := HooksOf(f)
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
	return "", errors.Join(problems...)
}
