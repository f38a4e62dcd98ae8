package fault

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"
)

func TestAStoppedCallSaysWhatRemains(t *testing.T) {
	for says, e := range map[string]*StoppedError{
		"timeout: its time limit (1.5 s) has passed; nothing that":               {Code: ErrTimeout, Cause: context.DeadlineExceeded, Limit: 1499700 * time.Microsecond},
		"timeout: its time limit (0.25 s) has passed; the command had been sent": {Code: ErrTimeout, Cause: context.DeadlineExceeded, Limit: 250 * time.Millisecond, Sent: true},
		"timeout: its time limit has passed; what it ran or set off":             {Code: ErrTimeout, Cause: context.DeadlineExceeded, Sent: true, Ending: true},
		"timeout: its time limit has passed; the script was terminated":          {Code: ErrTimeout, Cause: context.DeadlineExceeded, Terminated: true},
		"aborted: it was canceled; the command had been sent":                    {Code: ErrAborted, Cause: context.Canceled, Sent: true},
		"aborted: the person pressed stop; the command had been sent, what":      {Code: ErrAborted, Cause: errors.New("the person pressed stop"), Sent: true},
	} {
		if text := e.Error(); !strings.HasPrefix(text, says) {
			t.Errorf("%q, want %q", text, says)
		}
	}
}
