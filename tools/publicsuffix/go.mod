// Pins the public suffix list that plugins/examples/ad-frames is built with; main.go reduces it.
module github.com/hermes-cdp/hermes-cdp/tools/publicsuffix

go 1.25.0

require golang.org/x/net v0.50.0
