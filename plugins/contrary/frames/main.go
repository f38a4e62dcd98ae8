// The contrary-frames plugin keeps what frame-filter leaves out first: the last frame.
package main

import "github.com/hermes-cdp/hermes-cdp/sdk/frames"

func init() { frames.Handle(lastOnly) }

func main() {}

// lastOnly keeps the last frame, the top frame, and the frames between them.
func lastOnly(e frames.Event) frames.Verdict {
	var kept []uint32
	wanted := ""
	for i := len(e.Frames) - 1; i >= 0; i-- {
		if i == len(e.Frames)-1 || i == 0 || e.Frames[i].FrameID == wanted {
			kept = append([]uint32{uint32(i)}, kept...)
			wanted = e.Frames[i].ParentFrameID
		}
	}
	return frames.Keep(kept, len(kept) < len(e.Frames)).Because("contrary")
}
