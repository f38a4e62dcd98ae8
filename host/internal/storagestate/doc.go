// Package storagestate has the file of what a browser context has stored, in Playwright's format, encrypted if there is
// a key, and the scripts that read and set the storage of one origin. It knows no browser.
package storagestate
