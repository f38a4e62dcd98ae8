// The page-headings plugin offers agents a tool that shows what a page is about: the outline of its headings. It is an
// example of a tool with a page script (page.js), which looks at the page, and a module, which checks what it found.
package main

import "github.com/hermes-cdp/hermes-cdp/sdk/tool"

func init() { tool.Handle("page_headings", pageHeadings) }

// main never runs: the host calls exports.
func main() {}
