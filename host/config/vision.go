package config

import (
	"context"
	"errors"

	"github.com/hermes-cdp/hermes-cdp/host/agent"
	"github.com/hermes-cdp/hermes-cdp/host/agent/vision"
)

// options is the configuration as the client of the model takes it.
func (v Vision) options() vision.Options {
	return vision.Options{
		URL: v.URL, Model: v.Model, APIKey: v.APIKey, APIKeyFile: v.APIKeyFile, Timeout: seconds(v.TimeoutS), MaxTokens: v.MaxTokens,
	}
}

// visionKeys are the keys of the options that can be wrong.
var visionKeys = map[string]string{"URL": "url", "Model": "model", "APIKeyFile": "api_key_file"}

// checkVision finds what is wrong between the keys of the model, which can come from different layers.
func (r *reader) checkVision(v Vision) {
	if v.URL == "" || r.hasProblem("vision") {
		return
	}
	var wrong *vision.OptionError
	if errors.As(v.options().Check(), &wrong) {
		key := visionKeys[wrong.Option]
		r.fail(ProblemBadValue, []string{"vision", key}, r.originBelow("vision."+key), "vision.%s: %s", key, wrong.Problem)
	}
}

// client asks the model; nil where none is configured.
func (v Vision) client() agent.Vision {
	if v.URL == "" {
		return nil
	}
	c, err := vision.New(v.options())
	if err != nil {
		return noVision{err} // of a configuration that was not loaded by [Load]
	}
	return c
}

// noVision is a model that can not be asked.
type noVision struct{ err error }

// Ask implements [agent.Vision].
func (n noVision) Ask(context.Context, string, []byte) (string, error) { return "", n.err }
