package main

import (
	"encoding/binary"

	"github.com/hermes-cdp/hermes-cdp/sdk"
	"github.com/hermes-cdp/hermes-cdp/sdk/beforetool"
	"github.com/hermes-cdp/hermes-cdp/sdk/glob"
	"github.com/hermes-cdp/hermes-cdp/sdk/kv"
)

// window is the key of the store: when the window began, in milliseconds, and how many calls it has had, eight bytes
// each.
const window = "window"

const millisecond = 1_000_000

// decide counts a call, and denies it if its window is full. What was denied does not count.
func decide(s *settings, e *beforetool.Event) beforetool.Verdict {
	if !glob.Match(s.tools, e.Tool) {
		return beforetool.Abstain()
	}
	stored, _, err := kv.Get(window)
	if err != nil {
		return beforetool.Fail("the count of calls cannot be read: " + err.Error())
	}
	now := e.Header.TimeUnixNano / millisecond
	began, calls := now, int64(0)
	if len(stored) == 16 {
		began, calls = int64(binary.BigEndian.Uint64(stored)), int64(binary.BigEndian.Uint64(stored[8:]))
	}
	if now-began >= s.seconds*1000 || now < began {
		began, calls = now, 0
	}
	if calls >= s.calls {
		wait := (began + s.seconds*1000 - now + 999) / 1000
		return beforetool.Deny("there were " + sdk.Decimal(calls) + " calls in " + sdk.Decimal(s.seconds) + " s, which is the limit; wait " +
			sdk.Decimal(wait) + " s").Because("rate")
	}
	next := binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint64(nil, uint64(began)), uint64(calls+1))
	if err := kv.Set(window, next); err != nil {
		return beforetool.Fail("the count of calls cannot be kept: " + err.Error())
	}
	return beforetool.Abstain()
}
