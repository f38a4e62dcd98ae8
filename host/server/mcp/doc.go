// Package mcp offers the tools of an agent over the Model Context Protocol: to one client over a pair of streams, and
// to any number of clients over streamable HTTP.
//
// Each session works on a task of its own, which its first call starts and its end closes, unless it asks for a task by
// name. A result has a text of plain lines for a model, and the same as structured content.
package mcp
