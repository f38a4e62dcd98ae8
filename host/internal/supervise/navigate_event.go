package supervise

import (
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/target"

	"github.com/hermes-cdp/hermes-cdp/abi"
)

// HooksChanged says which hooks have a module from now on.
type HooksChanged struct {
	Navigate bool
}

// NavigateVerdict is the outcome of an [AskNavigate].
type NavigateVerdict struct {
	Token      Token
	Verdict    abi.NavigateVerdict
	Abstained  bool
	Fault      string // why there is no verdict
	Provenance Provenance
}

// AskNavigate calls the hook that decides on navigations; the outcome comes back as [NavigateVerdict].
type AskNavigate struct {
	Token Token
	Until time.Time
	Task  string
	Event abi.NavigateEvent
}

// Denial is a navigation that was denied.
type Denial struct {
	Number       int    // of the task's denials, from 1
	URL          string // as it was asked for, cut at 2 KiB; untrusted
	Frame        cdp.FrameID
	FrameKind    abi.FrameKind
	Target       target.ID
	At           time.Time
	Reason       string // the module's own word, or what went wrong
	FailedClosed bool   // no module decided, and the host's fallback denies
	Decision     Provenance
}

func (HooksChanged) isEvent()    {}
func (NavigateVerdict) isEvent() {}

func (AskNavigate) isEffect() {}
