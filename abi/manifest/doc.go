// Package manifest reads and writes the description that a module carries in its custom section hermes.manifest, and
// the manifest.json beside a plugin's sources that it is made from. It runs no code of the module.
package manifest
