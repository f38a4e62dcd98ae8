// Package trace keeps what the calls of a task did, with pictures of the page before and after each, and writes it as
// one HTML file that needs nothing else.
//
// Texts from pages are kept as they are, and become text when the file is written: secrets are taken out then, because
// which of the typed texts are secrets is known only after the call that typed them.
package trace
