// Package abijson shows the messages of package abi as JSON, and makes configuration values from JSON and from Go
// maps. It is for the host, tools and tests; a guest that imported it would grow by a few hundred kilobytes.
package abijson
