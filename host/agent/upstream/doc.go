// Package upstream gives agents the tools of other MCP servers in addition to those of the browser.
//
// [Start] maintains a connection to each configured server, either over the standard input and output of a program that
// it starts or over streamable HTTP. It registers the tools of each server as a toolset in an [agent.Registry]. Nothing
// waits for a server: one that hangs or is broken affects only its own tools.
//
// A tool keeps its name if that is valid and free; otherwise it is SERVER_TOOL, or SERVER_TOOL_2 and so on if that is
// taken as well. Names are assigned in the order of the servers' names among those that answer within [NamingTime] of
// the start, and then in the order of arrival. An assigned name never changes, so a model never calls another tool than
// the one it was shown.
//
// A server that ends is restarted or reconnected to, with growing delays. Its tools stay listed for [OutageTime],
// because each change of the list costs a model its prompt cache, which a short outage is not worth. Meanwhile calls
// wait for the server for a limited time, and then fail with an error that says what to do. After that the server loses
// its tools until it is back, so that no model plans with tools that do not work.
//
// A call that was sent is never sent again, as the server may have acted on it.
package upstream
