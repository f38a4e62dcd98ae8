// Package hermescdp carries those of this repository's files that the command shows or writes: the sources that a new
// plugin begins with, so that its directory builds without a network, and the documents. go:embed cannot reach upward,
// so it has to be here.
package hermescdp

import "embed"

// Guest holds the directories abi and sdk, and what their tests read JSON with.
//
//go:embed abi sdk internal/strictjson
var Guest embed.FS

// Examples holds which AssemblyScript the example in it is built with, at its path in the repository.
//
//go:embed plugins/examples/assemblyscript-policy/package.json plugins/examples/assemblyscript-policy/package-lock.json
var Examples embed.FS

// Documents holds the documents, at their paths in the repository.
//
//go:embed *.md docs/*.md docs/*.png docs/*.svg docs/*/*.md docs/*/*.png
var Documents embed.FS
