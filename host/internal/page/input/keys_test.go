package input

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	cdproto "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/input"
)

// typist is an actor that notes the keys it is given.
type typist struct {
	Actor
	events []string
}

func (t *typist) Act(_ cdproto.FrameID, method string, params, _ any) error {
	switch p := params.(type) {
	case *input.DispatchKeyEventParams:
		t.events = append(t.events, strings.TrimSpace(fmt.Sprintf("%s %s %d %d %s", p.Type, p.Code, p.WindowsVirtualKeyCode, p.Modifiers, p.Text)))
	case *input.InsertTextParams:
		t.events = append(t.events, "insert "+p.Text)
	default:
		return fmt.Errorf("unexpected %s", method)
	}
	return nil
}

func TestEveryCharacterOfAUSKeyboardHasItsKey(t *testing.T) {
	for c := ' '; c <= '~'; c++ {
		k, ok := printable[c]
		if !ok || k.text != string(c) || k.key != string(c) || k.code == "" || k.vk == 0 {
			t.Errorf("%q: %+v", c, k)
		}
	}
	codes := map[string]int{}
	for _, k := range printable {
		codes[k.code]++
	}
	for code, count := range codes {
		if count != 2 && code != "Space" {
			t.Errorf("%s writes %d characters", code, count)
		}
	}
}

func TestChords(t *testing.T) {
	for text, wanted := range map[string]string{
		"Enter":     "keyDown Enter 13 0 \r|keyUp Enter 13 0",
		"a":         "keyDown KeyA 65 0 a|keyUp KeyA 65 0",
		"Escape":    "rawKeyDown Escape 27 0|keyUp Escape 27 0",
		"+":         "keyDown Equal 187 0 +|keyUp Equal 187 0",
		"Ctrl+A":    "rawKeyDown ControlLeft 17 2|rawKeyDown KeyA 65 2|keyUp KeyA 65 2|keyUp ControlLeft 17 0",
		"Shift+Tab": "rawKeyDown ShiftLeft 16 8|rawKeyDown Tab 9 8|keyUp Tab 9 8|keyUp ShiftLeft 16 0",
		"Control++": "rawKeyDown ControlLeft 17 2|rawKeyDown Equal 187 2|keyUp Equal 187 2|keyUp ControlLeft 17 0",
		"F12":       "rawKeyDown F12 123 0|keyUp F12 123 0",
	} {
		c, err := ParseChord(text)
		if err != nil {
			t.Fatal(err)
		}
		d := &typist{}
		if err := Press(d, c); err != nil {
			t.Fatal(err)
		}
		got := strings.ReplaceAll(strings.Join(d.events, "|"), "13 0|", "13 0 \r|") // the sign was trimmed away
		if got != wanted {
			t.Errorf("%s: %q, want %q", text, got, wanted)
		}
	}
	for _, text := range []string{"", "Hyper+A", "ab", "Control+", "+A", "\x00", "enter enter"} {
		if c, err := ParseChord(text); !errors.Is(err, ErrKey) || !strings.Contains(err.Error(), "Backspace") {
			t.Errorf("%q: %+v, %v", text, c, err)
		}
	}
}

func TestWhatNoKeyWritesIsPutInTogether(t *testing.T) {
	for text, wanted := range map[string]string{
		"":        "",
		"aB":      "keyDown KeyA 65 0 a|keyUp KeyA 65 0|keyDown KeyB 66 8 B|keyUp KeyB 66 8",
		"é😀":      "insert é😀",
		"👩‍👩‍👧x":  "insert 👩‍👩‍👧|keyDown KeyX 88 0 x|keyUp KeyX 88 0",
		"1️⃣":     "insert 1️⃣",
		"e\u0301": "insert e\u0301",
		"\t":      "insert \t",
		"שלום":    "insert שלום",
	} {
		d := &typist{}
		if err := Write(d, text, goesOn); err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(d.events, "|"); got != wanted {
			t.Errorf("%q: %q, want %q", text, got, wanted)
		}
	}
	d := &typist{}
	long := strings.Repeat("a", maxStrokes+1)
	if err := Write(d, long, goesOn); err != nil || len(d.events) != 1 {
		t.Errorf("a long text took %d events, %v", len(d.events), err)
	}
}

func FuzzWrite(f *testing.F) {
	for _, text := range []string{"a", "1️⃣", "\r\n\xff", "👩‍👩‍👧 e\u0301"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		d := &typist{}
		if err := Write(d, text, goesOn); err != nil {
			t.Fatal(err)
		}
	})
}

func goesOn(int) error { return nil }

func TestATextIsTypedAsLongAsItGoesOn(t *testing.T) {
	d, enough := &typist{}, errors.New("enough")
	err := Write(d, "aéb", func(typed int) error {
		if typed == 3 {
			return enough
		}
		return nil
	})
	if got := strings.Join(d.events, "|"); !errors.Is(err, enough) || got != "keyDown KeyA 65 0 a|keyUp KeyA 65 0|insert é" {
		t.Errorf("%q, %v", got, err)
	}
}
