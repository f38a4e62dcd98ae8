// Package cdp implements a Chrome DevTools Protocol connection to a browser, over a WebSocket or over the pipe of
// --remote-debugging-pipe.
//
// One goroutine reads and waits for nothing but bytes; one goroutine writes. Sending never blocks. Events without a
// subscription are dropped while their envelope is scanned, before their parameters are looked at. A lost connection
// ends everything that waits on it at once.
//
// The protocol is described at https://chromedevtools.github.io/devtools-protocol/. All sessions share one connection
// ("flat" mode): a message carries the sessionId of its session; the browser's own session has none.
package cdp
