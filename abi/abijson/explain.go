package abijson

import (
	"errors"
	"fmt"
	"strings"

	"github.com/go-json-experiment/json"
)

// explain says what is wrong in terms of JSON; the errors of the JSON package name Go types.
func explain(err error) error {
	var semantic *json.SemanticError
	if !errors.As(err, &semantic) {
		return err
	}
	place := strings.TrimPrefix(string(semantic.JSONPointer), "/")
	switch {
	case errors.Is(err, json.ErrUnknownName):
		return fmt.Errorf("%s: unknown key", place)
	case place == "":
		place = "the whole"
	}
	switch {
	case semantic.Err != nil:
		return fmt.Errorf("%s: %w", place, semantic.Err)
	case len(semantic.JSONValue) > 0:
		return fmt.Errorf("%s: %s is not possible", place, semantic.JSONValue)
	default:
		return fmt.Errorf("%s: a JSON %s is not possible", place, semantic.JSONKind)
	}
}
