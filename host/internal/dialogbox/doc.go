// Package dialogbox draws dialogs into pictures of pages. A native dialog belongs to the browser, so that no picture of
// a page shows it: what is drawn says so.
package dialogbox
