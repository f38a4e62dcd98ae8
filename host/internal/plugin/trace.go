package plugin

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin/wasmfile"
)

// maxTraceLine bounds the length of the function names in a stack trace, which come from the module.
const maxTraceLine = 256

// splitTrap separates wazero's message from the guest's stack trace, and makes both safe to print: function names are
// text of the module.
func (m *Module) splitTrap(text string) (message, trace string) {
	message, rest, _ := strings.Cut(text, "\nwasm stack trace:")
	message = sanitize([]byte(strings.TrimPrefix(message, "wasm error: ")), 4*maxTraceLine)
	var lines []string
	for line := range strings.Lines(rest) {
		if line = strings.TrimSpace(line); line != "" {
			lines = append(lines, sanitize([]byte(m.frame(line)), maxTraceLine))
		}
	}
	return message, strings.Join(lines, "\n")
}

// frameSignature is the end of a line of wazero's stack trace: the types of the function, which say nothing about the
// source.
var frameSignature = regexp.MustCompile(`\([a-z0-9,]*\)( [a-z0-9]+| \([a-z0-9,]+\))?$`)

// frame is the function in a line of wazero's stack trace: its name if the module has a name section (in Go, the name
// in the source), else its index in the file, as shown by wasm-objdump.
func (m *Module) frame(line string) string {
	if strings.HasPrefix(line, "... ") { // a truncated stack trace
		return line
	}
	name := strings.TrimPrefix(frameSignature.ReplaceAllString(line, ""), m.compiled.Name()+".")
	if !strings.HasPrefix(name, "$") {
		return name
	}
	index, err := strconv.ParseUint(name[1:], 10, 32)
	if err != nil {
		return name
	}
	if index > m.importedFunctions { // metering adds one import after the module's own
		index--
	}
	return fmt.Sprintf("func[%d]", index)
}

func countFunctions(imports []wasmfile.Import) (n uint64) {
	for _, i := range imports {
		if i.Kind == wasmfile.KindFunc {
			n++
		}
	}
	return n
}
