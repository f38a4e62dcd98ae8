package input

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Held are modifiers that are held down during other input.
type Held []modifier

// ParseHeld returns the modifiers with names as people write them: Control, ctrl, cmd, Shift. The error is ErrKey, and
// names what is allowed.
func ParseHeld(names []string) (Held, error) {
	var held Held
	for _, name := range names {
		m, ok := modifiers[alias(name)]
		if !ok {
			return nil, fmt.Errorf("%w %q: no modifier; they are %s", ErrKey, name, strings.Join(slices.Sorted(maps.Keys(modifiers)), ", "))
		}
		if !slices.Contains(held, m) {
			held = append(held, m)
		}
	}
	return held, nil
}

// during presses the modifiers, gives their bits to the input, and releases them whatever became of it.
func (h Held) during(d Actor, input func(bits int64) error) (err error) {
	var bits int64
	for i, m := range h {
		bits |= m.bit
		if err := keyDown(d, m.key, bits); err != nil {
			return err
		}
		defer func() {
			bits &^= m.bit
			if up := keyUp(d, h[i].key, bits); err == nil {
				err = up
			}
		}()
	}
	return input(bits)
}
