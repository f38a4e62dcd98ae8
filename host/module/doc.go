// Package module loads, checks and calls the host's WebAssembly plugins without a browser: for plugin authors, tests and
// tools.
//
// [Inspect] shows what a module is without running any of it. [Check] takes it through every step that the host takes
// before it lets a module decide, and sends each hook one event. [Open] loads it for calls.
package module
