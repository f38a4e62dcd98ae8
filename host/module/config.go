package module

import (
	"cmp"
	"fmt"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/abi/abijson"
	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin"
	"github.com/hermes-cdp/hermes-cdp/host/internal/schema"
)

// CheckConfig checks a configuration against the schema of a module's manifest, as a host does before it runs any code
// of the module. Without a manifest or a schema everything fits. The error is a [*LoadError] with the step "config".
func CheckConfig(name string, m *Manifest, config abi.Struct) error {
	if m == nil || len(m.ConfigSchema) == 0 {
		return nil
	}
	compiled, err := schema.Compile(m.ConfigSchema)
	if err != nil {
		err = fmt.Errorf("config_schema of its manifest: %w", err)
	} else {
		err = compiled.Check(abijson.ToMap(config))
	}
	if err == nil {
		return nil
	}
	return &LoadError{Step: plugin.StepConfig, Module: name, Err: err, Detail: "the module's schema does not allow its configuration: " + err.Error()}
}

// CheckArguments checks the arguments of a call against the input schema of a tool of a module's manifest, as a host
// does before it calls the module. Without a manifest that has the tool everything fits.
func CheckArguments(m *Manifest, tool string, arguments abi.Struct) error {
	if m == nil {
		return nil
	}
	for _, t := range m.Tools {
		if t.Name == tool {
			compiled, err := schema.Compile(cmp.Or(t.InputSchema, schema.NoArguments))
			if err != nil {
				return fmt.Errorf("input_schema: %w", err)
			}
			return compiled.Check(abijson.ToMap(arguments))
		}
	}
	return nil
}
