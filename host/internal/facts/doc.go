// Package facts pins what the supervisor relies on in Chromium and nothing else documents: the order of events, which
// session hears what, and which command sequences are safe. The tests speak raw CDP to a real browser.
//
// When one fails after a browser update, the browser is right: change the fact, then the code that relies on it.
// Sequences that end the whole browser are not run here; each test takes the way around them and says what it avoids.
package facts
