package httpapi

import (
	"encoding/json"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/agent"
	"github.com/hermes-cdp/hermes-cdp/host/server/access"
)

// inspector is where `make inspector` installs the validator.
var inspector = filepath.Join("..", "..", "..", ".cache", "inspector")

// validates runs a third-party validator of OpenAPI documents.
func validates(t *testing.T, doc any) {
	t.Helper()
	text, err := json.Marshal(doc)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "openapi.json")
	if err := os.WriteFile(file, text, 0o600); err != nil {
		t.Fatal(err)
	}
	validator := filepath.Join(inspector, "node_modules", "@seriousme", "openapi-schema-validator", "bin", "validate-api-cli.js")
	out, err := exec.CommandContext(t.Context(), filepath.Join(inspector, "node"), validator, file).CombinedOutput()
	if err != nil {
		t.Errorf("the document is no OpenAPI, or `make inspector` was not run: %v\n%s", err, out)
	}
}

func TestTheDocumentIsOpenAPI(t *testing.T) {
	_, doc := ask(t, "GET", serve(t, Options{Tools: newFakeTools(), Version: "v-test"})+pathDocument, "")
	validates(t, doc)
}

func TestTheDocumentOfTheRealToolsIsOpenAPI(t *testing.T) {
	h, err := host.New(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = h.Close(t.Context()) }()
	registry, err := agent.New(h, agent.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer registry.Close()
	doc, err := Document(registry.Tools(agent.View{Toolsets: []string{"all"}}), "v-test")
	if err != nil {
		t.Fatal(err)
	}
	validates(t, doc)
	compile(t, roundTrip(t, doc))
}

// roundTrip encodes a value as JSON and decodes it.
func roundTrip(t *testing.T, v any) map[string]any {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	var out map[string]any
	if err := json.Unmarshal(text, &out); err != nil {
		t.Fatal(err)
	}
	return out
}

// compile compiles the schemas of all answers, keyed by "METHOD path status".
func compile(t *testing.T, doc map[string]any) map[string]*jsonschema.Schema {
	t.Helper()
	const base = "https://test.invalid/openapi.json"
	compiler := jsonschema.NewCompiler()
	if err := compiler.AddResource(base, doc); err != nil {
		t.Fatal(err)
	}
	out := map[string]*jsonschema.Schema{}
	for path, operations := range doc["paths"].(map[string]any) {
		for method, operation := range operations.(map[string]any) {
			for status, response := range operation.(map[string]any)["responses"].(map[string]any) {
				for mime := range response.(map[string]any)["content"].(map[string]any) {
					pointer := "/paths/" + escape(path) + "/" + method + "/responses/" + status + "/content/" + escape(mime) + "/schema"
					schema, err := compiler.Compile(base + "#" + pointer)
					if err != nil {
						t.Fatalf("%s: %v", pointer, err)
					}
					out[strings.ToUpper(method)+" "+path+" "+status] = schema
				}
			}
		}
	}
	return out
}

// escape escapes a key for a JSON Pointer.
func escape(key string) string {
	return strings.NewReplacer("~", "~0", "/", "~1").Replace(key)
}

// The document describes each answer of each route, and each of its paths has a route.
func TestTheHandlersAnswerAsTheDocumentSays(t *testing.T) {
	tools := newFakeTools()
	o := Options{Tools: tools, Tasks: noTasks{}, Version: "v-test"}
	address := serve(t, o)
	_, got := ask(t, "GET", address+pathDocument, "")
	doc := got.(map[string]any)
	schemas := compile(t, doc)
	for _, c := range []struct{ method, path, query, body, status string }{
		{"GET", pathTools, "", "", "200"},
		{"GET", pathDocument, "", "", "200"},
		{"GET", pathEvents, "", "", "404"},
		{"GET", pathEvents, "?only=news", "", "400"},
		{"GET", pathRecordings, "", "", "200"},
		{"POST", Prefix + "tools/act/call", "", `{"ref":"e1"}`, "200"},
		{"POST", Prefix + "tools/act/call", "", "[]", "400"},
		{"POST", Prefix + "tools/look/call", "", "", "200"},
		{"POST", Prefix + "tools/look/call", "", `{"a":"` + strings.Repeat("a", maxBody) + `"}`, "413"},
	} {
		t.Run(c.method+" "+c.path+c.query+" "+c.status, func(t *testing.T) {
			status, value := ask(t, c.method, address+c.path+c.query, c.body)
			schema := schemas[c.method+" "+c.path+" "+c.status]
			if schema == nil || strconv.Itoa(status) != c.status {
				t.Fatalf("the answer has the status %d, and the document has a schema for %s: %v", status, c.status, schema != nil)
			}
			if err := schema.Validate(value); err != nil {
				t.Errorf("the answer is not as described: %v", err)
			}
		})
	}
	served := access.NewMux(Routes(o), http.NotFoundHandler(), nil)
	described := map[string]bool{}
	for path, operations := range doc["paths"].(map[string]any) {
		for method := range operations.(map[string]any) {
			request, err := http.NewRequestWithContext(t.Context(), strings.ToUpper(method), path, nil)
			if err != nil {
				t.Fatal(err)
			}
			_, pattern := served.Handler(request)
			if pattern == "/" {
				t.Errorf("%s %s is described and not served", method, path)
			}
			described[pattern] = true
		}
	}
	for _, r := range Routes(o) {
		if !described[r.Pattern] {
			t.Errorf("%s is served and not described", r.Pattern)
		}
	}
}

func TestASchemaKeepsItsOwnReferences(t *testing.T) {
	doc, err := Document(newFakeTools().list, "")
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(doc)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Contains(strings.Split(string(text), `"`), "urn:hermes-cdp:tool:act:input") {
		t.Error("the input of act has no id of its own")
	}
	if _, err := Document([]agent.Tool{{Name: "bad", Input: json.RawMessage(`{`)}}, ""); err == nil {
		t.Error("a schema that is no JSON is taken")
	}
}
