// Package network has the tools for the requests of pages: browser_network_requests, browser_network_request and
// browser_route.
package network

import "github.com/hermes-cdp/hermes-cdp/host/agent/browsertool/toolkit"

// Kit has these tools for one task, a method for each.
type Kit struct {
	*toolkit.Kit
}

// New returns the tools of the task of a kit.
func New(k *toolkit.Kit) *Kit { return &Kit{Kit: k} }
