// Package provider rents browsers from services that run them: Browserbase, Browser Use, Firecrawl, and any service
// that hands out a CDP endpoint for a POST. host.Host.Rent makes a task on one; an embedder can implement [Provider].
//
// Keys and signed endpoints are secrets. They are sent to the service only, and no error or printed value has them.
package provider
