// Package httpapi offers the tools of an agent as JSON over HTTP, described by an OpenAPI 3.1 document, and streams the
// events of a task as server-sent events.
//
// A tool is called by POST /v1/agent/tools/NAME/call with its arguments as the body. The answer is an [agent.Result]
// with status 200, whether or not the tool did what was asked. An invalid request is answered with {"error": {"code",
// "message"}} and another status.
package httpapi
