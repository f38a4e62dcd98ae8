package config

import _ "embed"

// jsonSchema is made from the fields of Config and their comments, by TestTheSchemaIsUpToDate.
//
//go:embed config.schema.json
var jsonSchema string

// JSONSchema is a JSON Schema of the configuration file, for editors: it accepts whatever [Load] accepts, and knows
// what each key means.
func JSONSchema() string { return jsonSchema }
