// Package download manages the directories that a browser saves downloads to while a caller waits for a file.
package download
