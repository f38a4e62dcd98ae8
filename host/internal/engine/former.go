package engine

import (
	"strconv"
	"strings"
)

// Former are the numbers that were given out in former lives of a task, whose browsers ended. They are not given out again.
type Former struct {
	Ref, Tab, Call, Dialog int
	Reading                uint64
	// Ended is how the last of them ended; empty: not by itself.
	Ended string
}

// Why says why something of a former life is not there.
func (f Former) Why() string {
	if f.Ended == "" {
		return "the browser was started again since"
	}
	return "the browser was restarted since: " + f.Ended
}

// NumberAfter reads an id such as c-5; 0 for what is none.
func NumberAfter(prefix, id string) int {
	digits, ok := strings.CutPrefix(id, prefix)
	n, err := strconv.Atoi(digits)
	if !ok || err != nil {
		return 0
	}
	return n
}
