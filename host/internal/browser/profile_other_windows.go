package browser

// otherBrowser knows of none on Windows, where the browser itself refuses a profile that is in use.
func otherBrowser(string) string { return "" }
