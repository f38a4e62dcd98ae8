package options_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/config"
	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/options"
)

func TestWhatTheModelCannotBeAskedWithIsAProblemOfTheConfiguration(t *testing.T) {
	for pair, want := range map[string]string{
		"vision.url=https://host/hidden-1?key=hidden":                                "vision.model: it is required",
		"vision={url: http://host/v1, model: m, api_key: hidden}":                    "--set: vision.url: a key is sent to another machine over https:// only",
		"vision={url: https://host/v1, model: m, api_key: hidden, api_key_file: /f}": "--set: vision.api_key_file: the key is given, too; take one of them out",
		// And nothing of the model.
		"vision={url: https://host/v1, api_key: [hidden]}": "--set: vision.api_key is a list, but must be text",
	} {
		_, _, err := config.Load(config.Sources{Environ: []string{}, Set: []string{pair}, Check: options.Check})
		var all *config.Error
		if !errors.As(err, &all) || len(all.Problems) != 1 || all.Problems[0].Error() != want {
			t.Errorf("%s: got %v", pair, err)
			continue
		}
		if one := all.Problems[0]; one.Kind == config.ProblemBadValue && !strings.HasPrefix(want[strings.Index(want, "vision."):], one.Key+":") {
			t.Errorf("%s: the key is %s", pair, one.Key)
		}
	}
}
