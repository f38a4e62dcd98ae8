package page

import (
	"fmt"
	"slices"
	"strings"

	"github.com/chromedp/cdproto/input"
)

// key is one of a US keyboard.
type key struct {
	code  string // the physical key
	key   string // what it means
	text  string // what it writes; empty: nothing
	vk    int64  // the Windows virtual key code, by which many pages still know keys
	shift bool   // it is written with shift
}

// modifier is a key that changes others; bit is the protocol's.
type modifier struct {
	key
	bit int64
}

var modifiers = map[string]modifier{
	"Alt":     {key{code: "AltLeft", key: "Alt", vk: 18}, 1},
	"Control": {key{code: "ControlLeft", key: "Control", vk: 17}, 2},
	"Meta":    {key{code: "MetaLeft", key: "Meta", vk: 91}, 4},
	"Shift":   {key{code: "ShiftLeft", key: "Shift", vk: 16}, 8},
}

const shiftBit = 8

// named are the keys that are not written as themselves, by the names of UI Events.
var named = map[string]key{
	"Enter": {"Enter", "Enter", "\r", 13, false}, "Tab": {"Tab", "Tab", "", 9, false}, "Escape": {"Escape", "Escape", "", 27, false},
	"Backspace": {"Backspace", "Backspace", "", 8, false}, "Delete": {"Delete", "Delete", "", 46, false},
	"Insert": {"Insert", "Insert", "", 45, false}, "Home": {"Home", "Home", "", 36, false}, "End": {"End", "End", "", 35, false},
	"PageUp": {"PageUp", "PageUp", "", 33, false}, "PageDown": {"PageDown", "PageDown", "", 34, false},
	"ArrowLeft": {"ArrowLeft", "ArrowLeft", "", 37, false}, "ArrowUp": {"ArrowUp", "ArrowUp", "", 38, false},
	"ArrowRight": {"ArrowRight", "ArrowRight", "", 39, false}, "ArrowDown": {"ArrowDown", "ArrowDown", "", 40, false},
	"ContextMenu": {"ContextMenu", "ContextMenu", "", 93, false}, "CapsLock": {"CapsLock", "CapsLock", "", 20, false},
}

// aliases are other names that people use.
var aliases = map[string]string{
	"Space": " ", "Spacebar": " ", "Return": "Enter", "Esc": "Escape", "Del": "Delete", "Ctrl": "Control", "Cmd": "Meta",
	"Command": "Meta", "Option": "Alt", "Up": "ArrowUp", "Down": "ArrowDown", "Left": "ArrowLeft", "Right": "ArrowRight",
}

// printable are the keys that write a character, by it.
var printable = map[rune]key{' ': {"Space", " ", " ", 32, false}}

func init() {
	for i := range 12 {
		name := fmt.Sprintf("F%d", i+1)
		named[name] = key{code: name, key: name, vk: int64(112 + i)}
	}
	for c := 'a'; c <= 'z'; c++ {
		upper := c - 'a' + 'A'
		code := "Key" + string(upper)
		printable[c] = key{code, string(c), string(c), int64(upper), false}
		printable[upper] = key{code, string(upper), string(upper), int64(upper), true}
	}
	for i, c := range ")!@#$%^&*(" {
		digit := rune('0' + i)
		code := "Digit" + string(digit)
		printable[digit] = key{code, string(digit), string(digit), int64(digit), false}
		printable[c] = key{code, string(c), string(c), int64(digit), true}
	}
	for _, k := range []struct {
		code         string
		plain, upper rune
		vk           int64
	}{
		{"Semicolon", ';', ':', 186}, {"Equal", '=', '+', 187}, {"Comma", ',', '<', 188}, {"Minus", '-', '_', 189},
		{"Period", '.', '>', 190}, {"Slash", '/', '?', 191}, {"Backquote", '`', '~', 192}, {"BracketLeft", '[', '{', 219},
		{"Backslash", '\\', '|', 220}, {"BracketRight", ']', '}', 221}, {"Quote", '\'', '"', 222},
	} {
		printable[k.plain] = key{k.code, string(k.plain), string(k.plain), k.vk, false}
		printable[k.upper] = key{k.code, string(k.upper), string(k.upper), k.vk, true}
	}
}

// Chord is a key with the modifiers that are held meanwhile.
type Chord struct {
	held []modifier
	key  key
}

// ParseChord reads a key as people write it: Enter, a, Control+A, Shift+Tab. Its error is ErrKey, and names what is allowed.
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
		return Chord{}, fmt.Errorf("%w %q: a character of a US keyboard, or one of %s; with %s and + before it", ErrKey, text,
			strings.Join(sortedNames(named), ", "), strings.Join(sortedNames(modifiers), ", "))
	}
	c.key = k
	if len(c.held) > 0 && len(k.key) == 1 && !c.holds("Shift") { // Control+A is the key A, and not the letter
		if plain, ok := printable[[]rune(strings.ToLower(k.key))[0]]; ok {
			c.key = plain
		}
	}
	return c, nil
}

// Enter is the key that submits.
func Enter() Chord { return Chord{key: named["Enter"]} }

func (c Chord) holds(name string) bool {
	return slices.ContainsFunc(c.held, func(m modifier) bool { return m.key.key == name })
}

func alias(name string) string {
	if a, ok := aliases[name]; ok {
		return a
	}
	return name
}

func lookUp(name string) (key, bool) {
	name = alias(name)
	if k, ok := named[name]; ok {
		return k, true
	}
	if m, ok := modifiers[name]; ok {
		return m.key, true
	}
	if r := []rune(name); len(r) == 1 {
		k, ok := printable[r[0]]
		return k, ok
	}
	return key{}, false
}

func sortedNames[T any](of map[string]T) []string {
	names := make([]string, 0, len(of))
	for name := range of {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// Press presses a key with its modifiers, and lets them go again.
func Press(d Actor, c Chord) error {
	var bits int64
	for _, m := range c.held {
		bits |= m.bit
		if err := keyDown(d, m.key, bits); err != nil {
			return err
		}
	}
	if err := typeKey(d, c.key, bits); err != nil {
		return err
	}
	for _, m := range slices.Backward(c.held) {
		bits &^= m.bit
		if err := keyUp(d, m.key, bits); err != nil {
			return err
		}
	}
	return nil
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
	if k.text != "" && bits&^shiftBit == 0 { // with another modifier it is a command, and writes nothing
		p.Type, p.Text, p.UnmodifiedText = input.DispatchKeyEventTypeKeyDown, k.text, k.text
	}
	return d.Act("", input.CommandDispatchKeyEvent, p, nil)
}

func keyUp(d Actor, k key, bits int64) error {
	p := keyEvent(k, bits)
	p.Type = input.DispatchKeyEventTypeKeyUp
	return d.Act("", input.CommandDispatchKeyEvent, p, nil)
}

func keyEvent(k key, bits int64) *input.DispatchKeyEventParams {
	return &input.DispatchKeyEventParams{Modifiers: bits, Code: k.code, Key: k.key, WindowsVirtualKeyCode: k.vk, NativeVirtualKeyCode: k.vk}
}

// maxStrokes is how many characters are typed key by key; a longer text is put in at once, as a paste does.
const maxStrokes = 500

// Write types a text into what has the focus. What a US keyboard has is typed; anything else is put in as an input method
// does, a run of such characters at once, so that what belongs together stays together.
func Write(d Actor, text string) error {
	text = strings.ReplaceAll(text, "\r\n", "\n")
	if len(text) > maxStrokes {
		return insert(d, text)
	}
	for len(text) > 0 {
		k, size := firstKey(text)
		if size == 0 {
			end := foreignRun(text)
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

// firstKey is the key for the first character of a text; size 0 where there is none.
func firstKey(text string) (k key, size int) {
	switch c := text[0]; {
	case c == '\n' || c == '\r':
		return named["Enter"], 1
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

// nextJoins tells whether a text begins with what changes the character before it, as in a keycap emoji.
func nextJoins(text string) bool {
	for _, r := range text {
		return r == 0x200d || r == 0xfe0f || r >= 0x300 && r <= 0x36f || r == 0x20e3
	}
	return false
}

// foreignRun is the length of the run that no key writes.
func foreignRun(text string) int {
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
