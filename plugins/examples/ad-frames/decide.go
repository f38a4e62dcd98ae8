package main

import (
	"strings"

	"github.com/hermes-cdp/hermes-cdp/sdk/frames"
)

// decide drops the frames of the listed domains with everything below them. A frame with a pending dialog stays listed,
// with the path to it: an agent must see what it answers, but not look into the frame.
func decide(s *settings, e *frames.Event) frames.Verdict {
	if len(s.block) == 0 || len(e.Frames) == 0 {
		return frames.Abstain()
	}
	parents := parentsOf(e.Frames)
	own := site(hostOf(&e.Frames[0]))
	dropped := make([]bool, len(e.Frames))
	for i := 1; i < len(e.Frames); i++ {
		dropped[i] = dropped[parents[i]] || s.drops(&e.Frames[i], own)
	}
	listed := make([]bool, len(e.Frames))
	for i := range e.Frames {
		for at := i; e.Frames[i].HasPendingDialog && dropped[at] && !listed[at]; at = parents[at] {
			listed[at] = true
		}
	}
	var kept, masked []uint32
	for i := range e.Frames {
		if !dropped[i] || listed[i] {
			kept = append(kept, uint32(i))
		}
		if listed[i] {
			masked = append(masked, uint32(i))
		}
	}
	verdict := frames.Keep(kept, false).Masked(masked)
	if len(kept) == len(e.Frames) && len(masked) == 0 {
		return verdict
	}
	return verdict.Because("block")
}

func (s *settings) drops(frame *frames.Frame, own string) bool {
	host := hostOf(frame)
	return s.blocks(host) && !(s.thirdPartyOnly && own != "" && site(host) == own)
}

// hostOf returns the host of the frame's document. The origin of a sandboxed frame is opaque, but its URL is known.
func hostOf(frame *frames.Frame) string {
	if host := hostIn(frame.Origin); host != "" {
		return host
	}
	return hostIn(frame.URL)
}

// hostIn cuts the host out of a URL or an origin, as browsers write them.
func hostIn(url string) string {
	_, host, _ := strings.Cut(url, "://")
	for _, end := range []string{"/", "?", "#"} {
		host, _, _ = strings.Cut(host, end)
	}
	return withoutPort(host[strings.LastIndexByte(host, '@')+1:]) // a name and a password may stand before the host
}

// withoutPort removes a port. It leaves an IPv6 address in brackets alone.
func withoutPort(host string) string {
	for i := len(host) - 1; i >= 0 && host[i] != ']'; i-- {
		if host[i] == ':' {
			return host[:i]
		}
	}
	return host
}
