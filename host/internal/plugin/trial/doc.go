// Package trial runs a module in a child process of the same program, where it may hang or take all memory without harm:
// it is compiled, initialised, tested and asked there before this process runs any of it.
//
// The meter of a module (package wasmfile) is what bounds it. The trial is for the hole in the meter, in the compiler or in
// the engine that no one knows of yet: a guest that spins in native code cannot be preempted, and stops a Go process for good
// at its next garbage collection. Here that costs one child. It is no second sandbox: the child has this user's rights.
//
// The child is this executable, started again with [Variable] in its environment. Package init of this package sees that and
// never returns, so that main does not run: it works in every program that imports the host, test binaries included. The
// child has no other variable, reads jobs from its standard input and writes answers to its standard output, one JSON value
// each. The parent believes none of them further than that the module did this in the child.
//
// Time is bounded for each step by the clock of the parent. Memory is bounded on Linux by the parent, which reads the child's
// resident size every few milliseconds; elsewhere by the child itself, which only sees what Go allocated.
package trial
