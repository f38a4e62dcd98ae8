package main

import (
	"github.com/hermes-cdp/hermes-cdp/sdk/beforetool"
	"github.com/hermes-cdp/hermes-cdp/sdk/glob"
)

const (
	minute     = int64(60_000_000_000)
	minutesDay = 24 * 60
	// epochDay is the day of the week of 1970-01-01, a Thursday, counted from Monday.
	epochDay = 3
)

// days are the words of the configuration, from Monday.
var days = []string{"mon", "tue", "wed", "thu", "fri", "sat", "sun"}

// decide denies a call outside of the hours. The time is the event's: a module has no clock, and a replay decides the
// same.
func decide(s *settings, e *beforetool.Event) beforetool.Verdict {
	if !glob.Match(s.tools, e.Tool) || s.reading && e.ReadOnly || s.open(e.Header.TimeUnixNano) {
		return beforetool.Abstain()
	}
	return beforetool.Deny("it is outside of office hours, which are " + s.hours()).Because("hours")
}

// open reports whether a time is within the hours.
func (s *settings) open(nanos int64) bool {
	minutes := floor(nanos, minute) + s.offset
	day, at := floor(minutes, minutesDay), minutes-floor(minutes, minutesDay)*minutesDay
	weekday := (day + epochDay) - floor(day+epochDay, 7)*7
	return s.days[weekday] && at >= s.from && at < s.until
}

// floor divides and rounds down, also before 1970.
func floor(n, by int64) int64 {
	q := n / by
	if n%by < 0 {
		q--
	}
	return q
}
