// Package httpapi offers the tools of an agent over HTTP with JSON, as an OpenAPI 3.1 document describes them, and tells by
// server-sent events what happens in a task.
//
// A tool is called by POST /v1/agent/tools/NAME/call with its arguments as the body. The answer is an [agent.Result] with
// status 200, whether the tool did what was asked or not; what is wrong with the request itself is {"error": {"code",
// "message"}} with another status.
package httpapi
