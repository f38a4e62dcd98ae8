// Compares a hook call with one of Extism's Go SDK; a module of its own, so that the host does not depend on Extism.
module github.com/hermes-cdp/hermes-cdp/host/internal/bench/extism

go 1.25.0

require (
	github.com/extism/go-sdk v1.7.1
	github.com/hermes-cdp/hermes-cdp v0.0.0
)

require (
	github.com/dylibso/observe-sdk/go v0.0.0-20240819160327-2d926c5d788a // indirect
	github.com/go-json-experiment/json v0.0.0-20260213210345-44df1a37e875 // indirect
	github.com/gobwas/glob v0.2.3 // indirect
	github.com/ianlancetaylor/demangle v0.0.0-20240805132620-81f5be970eca // indirect
	github.com/santhosh-tekuri/jsonschema/v6 v6.0.3 // indirect
	github.com/tetratelabs/wabin v0.0.0-20230304001439-f6f874872834 // indirect
	github.com/tetratelabs/wazero v1.12.0 // indirect
	go.opentelemetry.io/proto/otlp v1.7.1 // indirect
	golang.org/x/sys v0.45.0 // indirect
	golang.org/x/text v0.33.0 // indirect
	google.golang.org/protobuf v1.36.12 // indirect
)

replace github.com/hermes-cdp/hermes-cdp => ../../../..
