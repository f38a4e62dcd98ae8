package decode

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	cdproto "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/debugger"
	"github.com/chromedp/cdproto/fetch"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/target"

	"github.com/hermes-cdp/hermes-cdp/host/internal/supervise"
	"github.com/hermes-cdp/hermes-cdp/host/route"
)

// pausedEvent is the part of Debugger.paused that is decoded. The full event holds the whole stack, with an object for
// each scope.
type pausedEvent struct {
	CallFrames []struct {
		CallFrameID debugger.CallFrameID `json:"callFrameId"`
	} `json:"callFrames"`
}

// requestEvent is the part of Fetch.requestPaused that is decoded. Without the Network domain there is no networkId: a
// redirect is linked to the request before it by that request's id.
type requestEvent struct {
	RequestID fetch.RequestID   `json:"requestId"`
	FrameID   cdproto.FrameID   `json:"frameId"`
	Type      string            `json:"resourceType"`
	Redirect  fetch.RequestID   `json:"redirectedRequestId"`
	NetworkID network.RequestID `json:"networkId"`
	Request   struct {
		URL             string         `json:"url"`
		Method          string         `json:"method"`
		Headers         map[string]any `json:"headers"`
		PostDataEntries []struct {
			Bytes []byte `json:"bytes"`
		} `json:"postDataEntries"`
	} `json:"request"`
}

// authEvent is the part of Fetch.authRequired that is decoded.
type authEvent struct {
	RequestID fetch.RequestID `json:"requestId"`
	Challenge struct {
		Source fetch.AuthChallengeSource `json:"source"`
		Origin string                    `json:"origin"`
	} `json:"authChallenge"`
}

func pausedAt(s target.SessionID, e *pausedEvent) supervise.Event {
	event := supervise.Paused{Session: s}
	if len(e.CallFrames) > 0 {
		event.CallFrame = e.CallFrames[0].CallFrameID
		event.Context = contextOf(event.CallFrame)
	}
	return event
}

func requestPaused(s target.SessionID, e *requestEvent) supervise.Event {
	event := supervise.RequestPaused{
		Session: s, Request: e.RequestID, Frame: e.FrameID, URL: e.Request.URL, Method: e.Request.Method,
		Document: e.Type == string(network.ResourceTypeDocument), Redirected: e.Redirect, Type: e.Type, Network: e.NetworkID,
	}
	for _, name := range slices.Sorted(maps.Keys(e.Request.Headers)) {
		event.Headers = append(event.Headers, route.Header{Name: name, Value: fmt.Sprint(e.Request.Headers[name])})
	}
	for _, part := range e.Request.PostDataEntries {
		event.Body += string(part.Bytes)
	}
	return event
}

// contextOf reads the execution context from the id of a call frame, which has the form isolate.context.ordinal. The
// protocol calls these ids opaque, but offers nothing else about where a paused frame runs that a page could not forge.
// A test in package facts checks that the browser keeps this form.
func contextOf(id debugger.CallFrameID) int64 {
	if parts := strings.Split(string(id), "."); len(parts) == 3 {
		context, _ := strconv.ParseInt(parts[1], 10, 64) // 0 on failure, which is no valid context
		return context
	}
	return 0
}
