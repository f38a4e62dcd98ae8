package input

import (
	"fmt"
	"runtime"
	"strings"
	"unicode"
	"unicode/utf8"
)

// key is a key of a US keyboard.
type key struct {
	code  string // the physical key
	key   string // what it means
	text  string // what it types; empty: nothing
	vk    int64  // the Windows virtual key code, by which many pages still know keys
	shift bool   // it is typed with shift
}

// modifier is a key that modifies others; bit is its bit in the protocol.
type modifier struct {
	key
	bit int64
}

var modifiers = map[string]modifier{
	"Alt":     {key{code: "AltLeft", key: "Alt", vk: 18}, altBit},
	"Control": {key{code: "ControlLeft", key: "Control", vk: 17}, controlBit},
	"Meta":    {key{code: "MetaLeft", key: "Meta", vk: 91}, 4},
	"Shift":   {key{code: "ShiftLeft", key: "Shift", vk: 16}, shiftBit},
}

const (
	altBit     = 1
	controlBit = 2
	shiftBit   = 8
)

// namedKeys are the keys that are not named after the character that they type, by the names of UI Events.
var namedKeys = map[string]key{
	"Enter": {"Enter", "Enter", "\r", 13, false}, "Tab": {"Tab", "Tab", "", 9, false}, "Escape": {"Escape", "Escape", "", 27, false},
	"Backspace": {"Backspace", "Backspace", "", 8, false}, "Delete": {"Delete", "Delete", "", 46, false},
	"Insert": {"Insert", "Insert", "", 45, false}, "Home": {"Home", "Home", "", 36, false}, "End": {"End", "End", "", 35, false},
	"PageUp": {"PageUp", "PageUp", "", 33, false}, "PageDown": {"PageDown", "PageDown", "", 34, false},
	"ArrowLeft": {"ArrowLeft", "ArrowLeft", "", 37, false}, "ArrowUp": {"ArrowUp", "ArrowUp", "", 38, false},
	"ArrowRight": {"ArrowRight", "ArrowRight", "", 39, false}, "ArrowDown": {"ArrowDown", "ArrowDown", "", 40, false},
	"ContextMenu": {"ContextMenu", "ContextMenu", "", 93, false}, "CapsLock": {"CapsLock", "CapsLock", "", 20, false},
}

// aliases are other names that people use, as plainName writes them.
var aliases = map[string]string{
	"space": " ", "spacebar": " ", "return": "Enter", "esc": "Escape", "del": "Delete", "ins": "Insert",
	"up": "ArrowUp", "down": "ArrowDown", "left": "ArrowLeft", "right": "ArrowRight",
	"pgup": "PageUp", "pgdn": "PageDown", "pgdown": "PageDown", "plus": "+", "minus": "-",
	"ctrl": "Control", "cmd": "Meta", "command": "Meta", "super": "Meta", "win": "Meta", "windows": "Meta", "option": "Alt", "opt": "Alt",
	"controlormeta": "Control",
}

// printable maps characters to the keys that type them.
var printable = map[rune]key{' ': {"Space", " ", " ", 32, false}}

func init() {
	if runtime.GOOS == "darwin" {
		aliases["controlormeta"] = "Meta"
	}
	for i := range 12 {
		name := fmt.Sprintf("F%d", i+1)
		namedKeys[name] = key{code: name, key: name, vk: int64(112 + i)}
	}
	for name := range namedKeys {
		aliases[plainName(name)] = name
	}
	for name := range modifiers {
		aliases[plainName(name)] = name
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

// plainName is the name of a key without what people write differently: case, and what separates its words.
func plainName(name string) string {
	return strings.ToLower(strings.NewReplacer(" ", "", "-", "", "_", "").Replace(name))
}

// alias is the name of a key as UI Events spells it; a single character stays as it is.
func alias(name string) string {
	if spaceless := strings.TrimSpace(name); utf8.RuneCountInString(spaceless) == 1 {
		return spaceless
	}
	if name == " " {
		return name
	}
	return aliases[plainName(name)]
}

func lookUp(name string) (key, bool) {
	name = alias(name)
	if k, ok := namedKeys[name]; ok {
		return k, true
	}
	if m, ok := modifiers[name]; ok {
		return m.key, true
	}
	if utf8.RuneCountInString(name) != 1 {
		return key{}, false
	}
	r, _ := utf8.DecodeRuneInString(name)
	if k, ok := printable[r]; ok {
		return k, true
	}
	return key{key: name, text: name}, unicode.IsGraphic(r) // as on a keyboard of another country
}
