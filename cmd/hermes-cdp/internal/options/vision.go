package options

import (
	"context"
	"errors"

	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/config"
	"github.com/hermes-cdp/hermes-cdp/host/agent"
	"github.com/hermes-cdp/hermes-cdp/host/agent/vision"
)

func visionOptions(v config.Vision) vision.Options {
	return vision.Options{
		URL: v.URL, Model: v.Model, APIKey: v.APIKey, APIKeyFile: v.APIKeyFile, Timeout: seconds(v.TimeoutS), MaxTokens: v.MaxTokens,
	}
}

// visionKeys are the keys of the options that can be wrong.
var visionKeys = map[string]string{"URL": "vision.url", "Model": "vision.model", "APIKeyFile": "vision.api_key_file"}

// Check is what [config.Sources] takes to have the packages checked that do what is configured.
func Check(c *config.Config) (key, problem string) {
	var wrong *vision.OptionError
	if c.Vision.URL != "" && errors.As(visionOptions(c.Vision).Check(), &wrong) {
		return visionKeys[wrong.Option], wrong.Problem
	}
	return "", ""
}

// model is what answers questions about pictures; nil where none is configured.
func model(v config.Vision) agent.Vision {
	if v.URL == "" {
		return nil
	}
	c, err := vision.New(visionOptions(v))
	if err != nil {
		return noVision{err} // of a configuration that [Check] has not seen
	}
	return c
}

// noVision is a model that cannot be asked.
type noVision struct{ err error }

// Ask implements [agent.Vision].
func (n noVision) Ask(context.Context, string, []byte) (string, error) { return "", n.err }
