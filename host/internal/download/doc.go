// Package download keeps the files that a browser downloads while somebody waits for one.
package download
