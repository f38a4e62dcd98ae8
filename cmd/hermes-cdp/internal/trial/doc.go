// Package trial tries a module on events, outside of a host: one call with everything that is to know about it, a
// golden table, and a measurement.
package trial
