package plugintool

import (
	"cmp"
	"fmt"
	"sync"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/abi/abijson"
	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/host/internal/schema"
)

// check validates the arguments against the tool's schema.
func (c *toolCall) check() error {
	arguments, err := abijson.FromMap(c.request.Arguments)
	if err != nil {
		return c.fail(fault.ErrBadArguments, err, "%v: %v", fault.ErrBadArguments, err)
	}
	schema, err := c.of.schemas.get(c.held.SHA256(), c.tool)
	if err != nil {
		return c.fail(fault.ErrToolFailed, err, "its input_schema cannot be used: %v", err)
	}
	// Validate what the module gets: Go's numbers have become JSON's.
	if err := schema.Check(abijson.ToMap(arguments)); err != nil {
		return c.fail(fault.ErrBadArguments, err, "%v: %v", fault.ErrBadArguments, err)
	}
	c.arguments = arguments
	return nil
}

// CheckSchemas refuses a module with a tool whose schema cannot be used.
func CheckSchemas(tools []abi.ManifestTool) error {
	for _, t := range tools {
		if _, err := schema.Compile(cmp.Or(t.InputSchema, schema.NoArguments)); err != nil {
			return fmt.Errorf("tool %q: input_schema: %w", t.Name, err)
		}
	}
	return nil
}

// schemaCache keeps compiled input schemas. The zero value is ready to use.
type schemaCache struct {
	mu       sync.Mutex
	compiled map[string]*schema.Schema // by the module's hash and the tool's name
}

// maxSchemas limits what is kept for modules that have left service.
const maxSchemas = 256

func (s *schemaCache) get(sha256 string, tool *abi.ManifestTool) (*schema.Schema, error) {
	key := sha256 + "/" + tool.Name
	s.mu.Lock()
	defer s.mu.Unlock()
	if compiled := s.compiled[key]; compiled != nil {
		return compiled, nil
	}
	compiled, err := schema.Compile(cmp.Or(tool.InputSchema, schema.NoArguments))
	if err != nil {
		return nil, err
	}
	if s.compiled == nil || len(s.compiled) >= maxSchemas {
		s.compiled = map[string]*schema.Schema{}
	}
	s.compiled[key] = compiled
	return compiled, nil
}
