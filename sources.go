// Package hermescdp carries those of this repository's sources that a new plugin begins with, so that the command can
// write a directory that builds without a network. go:embed cannot reach upward, so it has to be here.
package hermescdp

import "embed"

// Guest holds the directories abi and sdk.
//
//go:embed abi sdk
var Guest embed.FS

// Examples holds the sources of the plugins in C and AssemblyScript, at their paths in the repository.
//
//go:embed plugins/examples/c-policy/policy.c plugins/examples/c-policy/hermes.h plugins/examples/c-policy/manifest.json
//go:embed plugins/examples/assemblyscript-policy/policy.ts plugins/examples/assemblyscript-policy/hermes.ts
//go:embed plugins/examples/assemblyscript-policy/asconfig.json plugins/examples/assemblyscript-policy/manifest.json
//go:embed plugins/examples/assemblyscript-policy/package.json plugins/examples/assemblyscript-policy/package-lock.json
var Examples embed.FS
