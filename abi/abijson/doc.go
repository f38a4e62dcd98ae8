// Package abijson converts the messages of package abi to JSON and back, and builds configuration values from JSON and
// from Go maps. It is for the host, tools and tests; importing it would add a few hundred kilobytes to a guest.
package abijson
