// Package metrics serves what a daemon counts to Prometheus, in its text format.
//
// Nothing is counted here: each scrape reads the counters that `hermes-cdp status --json` shows. Labels are bounded:
// error codes that are not in the list, and values of a label beyond the first [maxValues], are counted as "other". No
// label has the name of a task, an address, or a text of a page.
package metrics
