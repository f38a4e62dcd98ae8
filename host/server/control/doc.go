// Package control lets commands reach the tasks of a host: [API] is implemented in this process by [Local], and for a
// daemon by [Client] and the handler that [NewHandler] returns.
//
// The protocol is JSON over HTTP, on a unix socket that only its owner can use ([ListenSocket]) or on a loopback port
// behind a bearer token ([Guard]). Paths begin with /v1. The query parameter "task" names the task; without it, it is
// the only task, or else the one called "default". An error is {"error": {"code", "message", ...}}, see [Error].
package control
