// Package build makes the modules of this repository from their sources, and checks that the committed ones still come
// from them.
package build

// Module is a module that is built and committed. Paths are relative to the repository.
type Module struct {
	Name   string
	Source string // directory of package main and manifest.json
	Output string // the committed .wasm
}

// Modules lists the modules in Go: the shipped ones, the examples, and those for tests.
func Modules() []Module {
	return []Module{
		{"bridge-script", "plugins/bridge-script", "plugins/dist/bridge-script.wasm"},
		{"dialog-policy", "plugins/dialog-policy", "plugins/dist/dialog-policy.wasm"},
		{"frame-filter", "plugins/frame-filter", "plugins/dist/frame-filter.wasm"},
		{"ad-frames", "plugins/examples/ad-frames", "plugins/examples/dist/ad-frames.wasm"},
		{"ad-requests", "plugins/examples/ad-requests", "plugins/examples/dist/ad-requests.wasm"},
		{"agent-rate", "plugins/examples/agent-rate", "plugins/examples/dist/agent-rate.wasm"},
		{"cookie-banners", "plugins/examples/cookie-banners", "plugins/examples/dist/cookie-banners.wasm"},
		{"dialog-memory", "plugins/examples/dialog-memory", "plugins/examples/dist/dialog-memory.wasm"},
		{"download-types", "plugins/examples/download-types", "plugins/examples/dist/download-types.wasm"},
		{"injection-phrases", "plugins/examples/injection-phrases", "plugins/examples/dist/injection-phrases.wasm"},
		{"mask-secrets", "plugins/examples/mask-secrets", "plugins/examples/dist/mask-secrets.wasm"},
		{"navigate-allowlist", "plugins/examples/navigate-allowlist", "plugins/examples/dist/navigate-allowlist.wasm"},
		{"office-hours", "plugins/examples/office-hours", "plugins/examples/dist/office-hours.wasm"},
		{"page-headings", "plugins/examples/page-headings", "plugins/examples/dist/page-headings.wasm"},
		{"spend-limit", "plugins/examples/spend-limit", "plugins/examples/dist/spend-limit.wasm"},
		{"contrary-bridge", "plugins/contrary/bridge", "plugins/contrary/testdata/contrary-bridge.wasm"},
		{"contrary-dialog", "plugins/contrary/dialog", "plugins/contrary/testdata/contrary-dialog.wasm"},
		{"contrary-embedder", "plugins/contrary/embedder", "plugins/contrary/testdata/contrary-embedder.wasm"},
		{"contrary-files", "plugins/contrary/files", "plugins/contrary/testdata/contrary-files.wasm"},
		{"contrary-frames", "plugins/contrary/frames", "plugins/contrary/testdata/contrary-frames.wasm"},
		{"contrary-snapshot", "plugins/contrary/snapshot", "plugins/contrary/testdata/contrary-snapshot.wasm"},
		{"contrary-tools", "plugins/contrary/tools", "plugins/contrary/testdata/contrary-tools.wasm"},
		{"contrary-request", "plugins/contrary/request", "plugins/contrary/testdata/contrary-request.wasm"},
	}
}

// RecordPath is the file that says what the committed modules were built with.
const RecordPath = "plugins/BUILD.json"
