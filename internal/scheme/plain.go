package scheme

// Plain reports whether loading a URL runs only script of a site: it is http:, https:, file: or about:blank. A
// javascript: URL runs in the current page; data: and blob: URLs bring their own script.
func Plain(url string) bool {
	switch Of(url) {
	case "http", "https", "file":
		return true
	case "about":
		return Policy{}.Check(url) == nil
	}
	return false
}
