// Package sample has a reply that can
// not come, and a connection that it tried to be had back.
package sample

// A name such as canNot is code, and so is what stands between comments.
const canNot = "a folder\n" + `in
vain`

// A comment of a hundred and twenty-one columns is one column too wide for whoever reads this file beside another one...
const _ = "this string, which is wider than the comment above, stays as it is, because programs print and compare such strings"

//go:generate a-command-with-many-arguments --which --is --wider --than --the --comment --above --and --cannot --be --wrapped --at --all
var _ = 1 // no more. It can only do no more than this.
