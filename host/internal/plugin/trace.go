package plugin

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin/wasmfile"
)

// maxTraceLine bounds the function names of a stack, which come from the module.
const maxTraceLine = 256

// splitTrap separates wazero's message from the guest's stack, and makes both safe to print: function names are the
// module's own text.
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

// frameSignature is the end of a line of wazero's stack: the types of the function, which say nothing about the source.
var frameSignature = regexp.MustCompile(`\([a-z0-9,]*\)( [a-z0-9]+| \([a-z0-9,]+\))?$`)

// frame is the function in a line of wazero's stack: its name where the module has a section with names, in Go's case that
// of the source, else its index in the file, as wasm-objdump shows it.
func (m *Module) frame(line string) string {
	if strings.HasPrefix(line, "... ") { // a stack that is cut
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
	if index > m.importedFunctions { // metering put one import behind the module's own
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
