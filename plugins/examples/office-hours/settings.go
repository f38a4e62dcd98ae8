package main

import (
	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/sdk"
	"github.com/hermes-cdp/hermes-cdp/sdk/config"
)

// settings is the configuration of the module. Times are in minutes of the day.
type settings struct {
	days        [7]bool // from Monday
	from, until int64
	offset      int64 // of the local time from UTC, in minutes
	tools       string
	reading     bool
}

// readSettings rejects what it does not understand; the error names the key.
func readSettings(object abi.Struct) (settings, error) {
	r := config.Read("configuration", object)
	s := settings{
		offset: r.Int("utc_offset_minutes", 0, -14*60, 14*60), tools: r.String("tools", "*"), reading: r.Bool("allow_reading", true),
		from: timeOfDay(r, "from", "09:00"), until: timeOfDay(r, "until", "17:00"),
	}
	if s.until <= s.from {
		r.Refuse("until", "a time after from")
	}
	list := r.Strings("days")
	if !r.Has("days") {
		list = days[:5]
	}
	for i, word := range list {
		day := indexOf(days, word)
		if day < 0 {
			r.RefuseItem("days", i, "one of mon, tue, wed, thu, fri, sat, sun")
			continue
		}
		s.days[day] = true
	}
	return s, r.Err()
}

// timeOfDay reads HH:MM, up to 24:00.
func timeOfDay(r *config.Reader, key, otherwise string) int64 {
	text := r.String(key, otherwise)
	if len(text) == 5 && text[2] == ':' {
		hours, minutes := digits(text[:2]), digits(text[3:])
		if at := hours*60 + minutes; hours >= 0 && minutes >= 0 && minutes < 60 && at <= minutesDay {
			return at
		}
	}
	r.Refuse(key, "a time of day, HH:MM")
	return 0
}

// digits is the number that two digits make; far below zero for anything else.
func digits(text string) int64 {
	n := int64(0)
	for i := range len(text) {
		if text[i] < '0' || text[i] > '9' {
			return -minutesDay * 60
		}
		n = n*10 + int64(text[i]-'0')
	}
	return n
}

func indexOf(list []string, word string) int {
	for i := range list {
		if list[i] == word {
			return i
		}
	}
	return -1
}

// hours is what an agent is told: the days and times, and whose clock they are by.
func (s *settings) hours() string {
	text := ""
	for i, open := range s.days {
		if open {
			text += days[i] + " "
		}
	}
	return text + clock(s.from) + " to " + clock(s.until) + ", at an offset of " + sdk.Decimal(s.offset) + " minutes from UTC"
}

func clock(at int64) string { return two(at/60) + ":" + two(at%60) }

func two(n int64) string {
	if n < 10 {
		return "0" + sdk.Decimal(n)
	}
	return sdk.Decimal(n)
}
