// Package providertest has a server that rents a real browser out as Browserbase, Browser Use, Firecrawl and a service
// of its own do: with their requests, their errors, and endpoints that are signed and work once.
package providertest
