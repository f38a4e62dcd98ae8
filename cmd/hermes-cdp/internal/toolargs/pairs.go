package toolargs

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/input"
	"github.com/hermes-cdp/hermes-cdp/host/agent"
)

// Object has the arguments that are given as JSON: as an argument, or in a file, which is standard input where its name
// is -.
func Object(stdin io.Reader, args []string, file string) (map[string]any, error) {
	text := "{}"
	switch {
	case len(args) > 0 && file != "":
		return nil, errors.New("the arguments are given twice: leave out --file, or the JSON")
	case len(args) > 0 && args[0] != "-":
		text = args[0]
	case len(args) > 0 || file != "":
		content, err := input.Read(stdin, strings.Join(append(args, file), ""), maxArguments)
		if err != nil {
			return nil, err
		}
		text = string(content)
	}
	var object map[string]any
	if err := decode(text, &object); err != nil || object == nil {
		return nil, errors.New("the arguments are no JSON object")
	}
	return object, nil
}

// AddPairs adds what was given as NAME=VALUE, as the schema of the tool wants it.
func AddPairs(tool agent.Tool, object map[string]any, pairs []string) (json.RawMessage, error) {
	parameters, err := Parameters(tool.Input)
	if err != nil {
		return nil, err
	}
	texts := map[string][]string{}
	var names []string
	for _, pair := range pairs {
		name, text, found := strings.Cut(pair, "=")
		if !found || name == "" {
			return nil, fmt.Errorf("--arg is %q, want NAME=VALUE", pair)
		}
		if texts[name] == nil {
			names = append(names, name)
		}
		texts[name] = append(texts[name], text)
	}
	for _, name := range names {
		p := Parameter{Name: name} // one that the schema does not name is the tool's to refuse
		if i := slices.IndexFunc(parameters, func(p Parameter) bool { return p.Name == name }); i >= 0 {
			p = parameters[i]
		}
		if object[name], err = p.value(texts[name]); err != nil {
			return nil, fmt.Errorf("--arg %s: %w", name, err)
		}
	}
	return json.Marshal(object)
}
