// Package network holds the end-to-end tests of what a browser reaches, and through which proxies. It has no code of
// its own.
package network
