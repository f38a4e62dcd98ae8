// Package upstream gives agents the tools of other MCP servers beside those of the browser.
//
// [Start] keeps a connection to each configured server, over the standard input and output of a program that it starts or by
// streamable HTTP, and registers the tools of each as a toolset of its own in an [agent.Registry]. Nothing waits for a server:
// one that hangs or is broken costs its own tools and no others.
//
// A tool keeps its name where that is valid and free; else it is SERVER_TOOL, and with _2 and so on where that is taken as
// well. Names are given in the order of the servers' names, to those that have answered within [NamingTime] of the start, then
// to whoever comes; a name that was given stays, so that a model never calls another tool than the one it was told of.
//
// A server that ends is started, or connected to, again, later from try to try. Its tools stay listed for [OutageTime]: the
// list is what a model has read, and each change of it costs the model all that it had in its cache, which a short outage is
// not worth. Calls wait for the server meanwhile, for a bounded time, and then fail with an error that says what to do. A
// server that stays away loses its tools until it is back, so that no model plans with what there is not.
//
// A call that was sent is never sent again: nobody knows how far the server came with it.
package upstream
