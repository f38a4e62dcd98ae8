// Package guest is the plumbing between a plugin and the host's functions: it reads events and configuration, writes
// verdicts, and exports the marker and hermes_init. docs/abi.md specifies the protocol.
//
// A guest is one thread that serves one call at a time. Between calls the package keeps buffers, so that a call makes
// no garbage, and the decoded configuration, which is constant for the life of an instance.
package guest
