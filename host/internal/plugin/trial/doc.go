// Package trial runs a module in a child process of the same program, where it may hang or exhaust the memory without
// harm. There it is compiled, initialised, tested and asked before this process runs any of it.
//
// A module is bounded by its meter (package wasmfile). The trial is for unknown holes in the meter, the compiler or the
// engine: a guest that spins in native code cannot be pre-empted, and stops a Go process for good at its next garbage
// collection. In a trial that costs one child. A trial is not a second sandbox: the child has the rights of this user.
//
// The child is this executable, started again with [Variable] in its environment. Package init of this package sees
// that and never returns, so main does not run. This works in every program that imports the host, including test
// binaries. The child has no other variable. It reads jobs from its standard input and writes answers to its standard
// output, one JSON value each. The parent does not trust the answers beyond what the module did in the child.
//
// The parent's clock bounds the time of each step. On Linux a child that a busy machine does not let run has ten
// times as long, since that is no reason to refuse a module, and the parent bounds the memory, by reading the child's
// resident size every few milliseconds. Elsewhere the child bounds it itself, and only sees what Go has allocated.
package trial
