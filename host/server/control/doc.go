// Package control is how commands reach the tasks of a host: [API], in this process by [Local], or in a daemon by [Client]
// and the handler that [NewHandler] makes.
//
// The wire is JSON over HTTP, on a unix socket that only its owner can use ([ListenSocket]) or on a loopback port behind a
// bearer token ([Guard]). Paths begin with /v1. A query parameter "task" names the task; without it the only task is
// meant, else the one called "default". An error is {"error": {"code", "message", ...}}, see [Error].
package control
