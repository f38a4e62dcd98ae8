// Package act reads the pages of a task and acts on them: one reading over all frames and shadow roots, refs that stay, real
// input that is known to have arrived, and what came of it.
//
// Each call is an operation of package engine, with one budget; how elements are found, read and hit is package page's.
package act
