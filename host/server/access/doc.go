// Package access says who may do what over a daemon's sockets and ports.
//
// There are two roles. An operator reaches everything. An agent has a token that is bound to tasks and toolsets, and
// reaches only the routes for agents, and there only its own tasks. Anyone else reaches nothing: the zero [Caller] is
// nobody.
//
// Every route has its role in one table ([Route]), from which the mux is made. Tokens are 256 random bits; a [Store]
// keeps their hashes in a file that only its owner can read.
package access
