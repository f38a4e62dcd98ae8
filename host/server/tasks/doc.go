// Package tasks gives agents the tasks that they work on: a task is started when a tool first needs it, and its changes
// can be watched.
package tasks
