package scheme

// Plain tells whether loading an address runs no script but that of a site: it is http:, https:, file: or about:blank.
// javascript: addresses run in the page that is left, data: and blob: bring their own.
func Plain(address string) bool {
	switch Of(address) {
	case "http", "https", "file":
		return true
	case "about":
		return Policy{}.Check(address) == nil
	}
	return false
}
