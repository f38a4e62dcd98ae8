// Package manifest reads and writes the manifest in the custom section hermes.manifest of a module, and the
// manifest.json next to a plugin's sources that it is built from. It runs no code of the module.
package manifest
