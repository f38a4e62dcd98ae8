// Package tasks is how agents come by the tasks that they work on: one is started when a tool first needs it, and what
// changes in it can be watched.
package tasks
