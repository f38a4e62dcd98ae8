// Package mcp offers the tools of an agent over the Model Context Protocol: to one client by a pair of streams, and to any
// number of them by streamable HTTP.
//
// Each session works on a task of its own, which its first call starts and its end closes, unless it asks for one by name.
// What a model reads is the text of a result, in plain lines; the same as an object is its structured content.
package mcp
