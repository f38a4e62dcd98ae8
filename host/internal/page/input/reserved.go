package input

import "runtime"

// reserved are the keys that Chromium takes before the page (IsReservedCommandOrKey), by their modifiers and codes, and
// what it does on them, with a window and without one. If that brings another tab to the front of a window, it does not
// answer the command that presses the key, and from then on each answer to a key in the tab is that to the key before.
//
// https://source.chromium.org/chromium/chromium/src/+/main:chrome/browser/ui/browser_command_controller.cc
// https://source.chromium.org/chromium/chromium/src/+/main:chrome/browser/ui/views/accelerator_table.cc
var reserved = map[int64]map[string]string{
	controlBit: {
		"KeyT": "opens a tab", "KeyN": "opens a window", "KeyW": "closes the tab", "F4": "closes the tab",
		"Tab": "goes to the next tab", "PageDown": "goes to the next tab", "PageUp": "goes to the previous tab",
	},
	controlBit | shiftBit: {
		"KeyT": "opens the tab that was closed last", "KeyN": "opens a private window", "KeyW": "closes the window",
		"Tab": "goes to the previous tab",
	},
	altBit: {"F4": "closes the window"},
}

// Reserved says what the browser does on a key that it keeps from every page; empty: pages receive it. On macOS the
// keys are others, with Command, and Chromium leaves those of the protocol to the page, because no event of the system
// comes with them.
func (c Chord) Reserved() string { return c.reservedOn(runtime.GOOS) }

func (c Chord) reservedOn(system string) string {
	if system == "darwin" {
		return ""
	}
	var bits int64
	for _, m := range c.held {
		bits |= m.bit
	}
	return reserved[bits][c.key.code]
}
