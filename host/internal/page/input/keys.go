package input

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/chromedp/cdproto/input"
)

// ErrKey says that no key has a name.
var ErrKey = errors.New("unknown key")

// Chord is a key with the modifiers that are held down for it.
type Chord struct {
	held Held
	key  key
}

// ParseChord parses a key as people write it: Enter, esc, é, arrow down, ctrl+a, Shift+Tab, ctrl++. The error is
// ErrKey, and names what is allowed.
func ParseChord(text string) (Chord, error) {
	var c Chord
	rest := text
	for {
		name, after, more := strings.Cut(rest, "+")
		m, ok := modifiers[alias(name)]
		if !more || !ok || after == "" {
			break
		}
		c.held = append(c.held, m)
		rest = after
	}
	k, ok := lookUp(rest)
	if !ok {
		return Chord{}, fmt.Errorf("%w %q: a character, or one of %s; with %s and + before it", ErrKey, text,
			strings.Join(slices.Sorted(maps.Keys(namedKeys)), ", "), strings.Join(slices.Sorted(maps.Keys(modifiers)), ", "))
	}
	c.key = k
	if len(c.held) > 0 && len(k.key) == 1 && !c.holds("Shift") { // Control+A is the key A, not the capital letter
		if plain, ok := printable[[]rune(strings.ToLower(k.key))[0]]; ok {
			c.key = plain
		}
	}
	return c, nil
}

func (c Chord) holds(name string) bool {
	return slices.ContainsFunc(c.held, func(m modifier) bool { return m.key.key == name })
}

// Press presses a key with its modifiers, and releases them.
func Press(d Actor, c Chord) error {
	return c.held.during(d, func(bits int64) error { return typeKey(d, c.key, bits) })
}

// typeKey presses and releases one key.
func typeKey(d Actor, k key, bits int64) error {
	if err := keyDown(d, k, bits); err != nil {
		return err
	}
	return keyUp(d, k, bits)
}

func keyDown(d Actor, k key, bits int64) error {
	p := keyEvent(k, bits)
	p.Type = input.DispatchKeyEventTypeRawKeyDown
	if k.text != "" && bits&^shiftBit == 0 { // with another modifier it is a shortcut, which types nothing
		p.Type, p.Text, p.UnmodifiedText = input.DispatchKeyEventTypeKeyDown, k.text, k.text
	}
	return d.Act("", input.CommandDispatchKeyEvent, p, nil)
}

// strike presses and releases a key as a keyboard does: the browser gets the key before what it types, and may keep
// both from the page.
func strike(d Actor, k key) error {
	down := keyEvent(k, 0)
	down.Type = input.DispatchKeyEventTypeRawKeyDown
	if err := d.Act("", input.CommandDispatchKeyEvent, down, nil); err != nil {
		return err
	}
	if k.text != "" {
		types := keyEvent(k, 0)
		types.Type, types.Text, types.UnmodifiedText = input.DispatchKeyEventTypeChar, k.text, k.text
		if err := d.Act("", input.CommandDispatchKeyEvent, types, nil); err != nil {
			return err
		}
	}
	return keyUp(d, k, 0)
}

func keyUp(d Actor, k key, bits int64) error {
	p := keyEvent(k, bits)
	p.Type = input.DispatchKeyEventTypeKeyUp
	return d.Act("", input.CommandDispatchKeyEvent, p, nil)
}

func keyEvent(k key, bits int64) *input.DispatchKeyEventParams {
	return &input.DispatchKeyEventParams{Modifiers: bits, Code: k.code, Key: k.key, WindowsVirtualKeyCode: k.vk, NativeVirtualKeyCode: k.vk}
}

// maxStrokes is how many bytes are typed key by key; a longer text is inserted at once, as by a paste.
const maxStrokes = 500

// Write types a text into what has the focus. Characters of a US keyboard are typed. Runs of other characters are
// inserted as by an input method, each at once, so that combining characters stay together. An error of goesOn, which
// is told how many bytes are typed, ends that.
func Write(d Actor, text string, goesOn func(typed int) error) error {
	text = strings.ReplaceAll(text, "\r\n", "\n")
	if len(text) > maxStrokes {
		return insert(d, text)
	}
	for whole := len(text); len(text) > 0; {
		if err := goesOn(whole - len(text)); err != nil {
			return err
		}
		k, size := firstKey(text)
		if size == 0 {
			end := insertedRun(text)
			if err := insert(d, text[:end]); err != nil {
				return err
			}
			text = text[end:]
			continue
		}
		var bits int64
		if k.shift {
			bits = shiftBit
		}
		if err := typeKey(d, k, bits); err != nil {
			return err
		}
		text = text[size:]
	}
	return nil
}

// signsOf are the signs of the beginning of a text that is typed.
func signsOf(text string) Signs {
	if text == "" {
		return Keyed // the content is deleted
	}
	if _, size := firstKey(text); size > 0 && len(text) <= maxStrokes {
		return Keyed
	}
	return Inserted
}

// firstKey is the key for the first character of a text; size is 0 if there is none.
func firstKey(text string) (k key, size int) {
	switch c := text[0]; {
	case c == '\n' || c == '\r':
		return namedKeys["Enter"], 1
	case c == '\t':
		return key{}, 0 // the key would move the focus
	default:
		k, ok := printable[rune(c)]
		if !ok || nextJoins(text[1:]) {
			return key{}, 0
		}
		return k, 1
	}
}

// nextJoins reports whether a text begins with a character that combines with the one before it, as in a keycap emoji.
func nextJoins(text string) bool {
	for _, r := range text {
		return r == 0x200d || r == 0xfe0f || r >= 0x300 && r <= 0x36f || r == 0x20e3
	}
	return false
}

// insertedRun is the length of the run of characters that no key types.
func insertedRun(text string) int {
	for i := range text {
		if i == 0 {
			continue
		}
		if _, size := firstKey(text[i:]); size > 0 {
			return i
		}
	}
	return len(text)
}

func insert(d Actor, text string) error {
	return d.Act("", input.CommandInsertText, &input.InsertTextParams{Text: text}, nil)
}
