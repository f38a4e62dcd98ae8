// Package module loads, checks and calls the host's WebAssembly plugins without a browser: for plugin authors, tests
// and tools.
//
// [Inspect] describes a module without running it. [Check] runs every step that the host runs before it lets a module
// decide, and sends an event to each hook. [Open] loads a module for calls.
package module
