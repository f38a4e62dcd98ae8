// Package cdp is one Chrome DevTools Protocol connection to a browser, over a WebSocket or over the pipe of
// --remote-debugging-pipe.
//
// One goroutine reads and never waits for anything but bytes; one goroutine writes. Sending never blocks. Events that
// nobody subscribed to are dropped while their envelope is read, before their parameters are looked at. A lost
// connection ends everything that waits on it at once.
//
// The protocol is described at https://chromedevtools.github.io/devtools-protocol/. All sessions share one connection
// ("flat" mode): a message carries the sessionId of its target, the browser's own session has none.
package cdp
