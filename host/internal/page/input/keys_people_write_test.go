package input

import (
	"strings"
	"testing"
)

func TestKeysAreUnderstoodAsPeopleWriteThem(t *testing.T) {
	for text, as := range map[string]string{
		"enter": "Enter", "Return": "Enter", "RETURN": "Enter", "esc": "Escape", "Space": " ", "spacebar": " ",
		"arrow down": "ArrowDown", "Arrow-Down": "ArrowDown", "arrow_down": "ArrowDown", "down": "ArrowDown", "page up": "PageUp",
		"pgdn": "PageDown", "del": "Delete", "f5": "F5", "ctrl+a": "Control+A", "CTRL+A": "Control+a", "ctrl + a": "Control+A",
		"Cmd+C": "Meta+C", "command+c": "Meta+C", "win+d": "Meta+d", "ctrl++": "Control++", "ctrl+plus": "Control++", "ctrl + +": "Control++",
		"plus": "+", "minus": "-", "shift+tab": "Shift+Tab", "ctrl+shift+arrow left": "Control+Shift+ArrowLeft", "alt+ ": "Alt+Space",
	} {
		got, err := ParseChord(text)
		if err != nil {
			t.Errorf("%q: %v", text, err)
			continue
		}
		if want, err := ParseChord(as); err != nil || !same(t, got, want) {
			t.Errorf("%q is not %q (%v)", text, as, err)
		}
	}
}

func TestACharacterThatNoUSKeyHasIsAKeyToo(t *testing.T) {
	for text, wanted := range map[string]string{
		"é":      "keyDown  0 0 é|keyUp  0 0",
		"漢":      "keyDown  0 0 漢|keyUp  0 0",
		"ctrl+é": "rawKeyDown ControlLeft 17 2|rawKeyDown  0 2|keyUp  0 2|keyUp ControlLeft 17 0",
	} {
		c, err := ParseChord(text)
		if err != nil {
			t.Errorf("%q: %v", text, err)
			continue
		}
		if got := pressed(t, c); got != wanted {
			t.Errorf("%q: %q, want %q", text, got, wanted)
		}
	}
}

func TestTheBrowserKeepsSomeKeysFromThePage(t *testing.T) {
	for text, does := range map[string]string{
		"ctrl+t": "opens a tab", "Control+T": "opens a tab", "Ctrl+Shift+T": "opens the tab that was closed last", "shift+ctrl+t": "opens the tab that was closed last",
		"ctrl+w": "closes the tab", "Ctrl+F4": "closes the tab", "alt+f4": "closes the window", "ctrl+tab": "goes to the next tab",
		"ctrl+page up": "goes to the previous tab", "ctrl+shift+n": "opens a private window",
		"t": "", "T": "", "alt+t": "", "ctrl+alt+t": "", "F5": "", "ctrl+p": "", "ctrl+r": "", "Tab": "", "shift+Tab": "", "F4": "", "cmd+t": "",
	} {
		c, err := ParseChord(text)
		if err != nil {
			t.Fatal(err)
		}
		if got := c.reservedOn("linux"); got != does {
			t.Errorf("%q: %q, want %q", text, got, does)
		}
		if got := c.reservedOn("darwin"); got != "" {
			t.Errorf("%q on macOS: %q", text, got)
		}
	}
}

func pressed(t *testing.T, c Chord) string {
	t.Helper()
	d := &typist{}
	if err := Press(d, c); err != nil {
		t.Fatal(err)
	}
	return strings.Join(d.events, "|")
}

func same(t *testing.T, a, b Chord) bool {
	t.Helper()
	return pressed(t, a) == pressed(t, b)
}
