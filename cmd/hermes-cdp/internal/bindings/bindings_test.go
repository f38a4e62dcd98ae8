package bindings_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/bindings"
	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/builder"
)

// That the files compile, and pass the conformance kit, is tested with the plugins that package scaffold writes.
func TestEveryLanguageHasTheMessagesOfEveryHook(t *testing.T) {
	for _, language := range bindings.Languages() {
		text, err := bindings.Generate(t.Context(), language)
		if err != nil {
			t.Fatal(err)
		}
		lower := strings.ReplaceAll(strings.ToLower(string(text)), "_", "")
		for _, hook := range abi.Hooks() {
			event, verdict := abi.NewMessages(hook)
			for _, m := range []abi.Message{event, verdict} {
				if m == nil {
					continue
				}
				if name := typeName(m); !strings.Contains(lower, strings.ToLower(name)) {
					t.Errorf("%s has no %s", language, name)
				}
			}
		}
		for line := range strings.SplitSeq(string(text), "\n") {
			if strings.HasSuffix(line, " ") {
				t.Errorf("%s: a line ends with a space: %q", language, line)
				break
			}
		}
	}
}

func typeName(m abi.Message) string { return reflect.TypeOf(m).Elem().Name() }

func TestGoHasTheSDK(t *testing.T) {
	for _, language := range []builder.Language{builder.Go, builder.TinyGo, "cobol"} {
		if _, err := bindings.Generate(t.Context(), language); err == nil || !strings.Contains(err.Error(), "want one of c, assemblyscript, rust, zig") {
			t.Errorf("%s: error is %v", language, err)
		}
	}
}
