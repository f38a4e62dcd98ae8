// Package act reads the pages of a task and acts on them. One reading covers all frames and shadow roots, and its refs
// remain valid as long as their elements do. Input is real and its delivery is verified, and each action reports what
// came of it.
//
// Each call is an operation of package engine and has one budget. Package page finds, reads and hit-tests elements.
package act
