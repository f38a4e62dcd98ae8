package trial_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/pack"
	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/trial"
	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/module"
)

const pageHeadings = "../../../../plugins/examples/"

func TestThePageScriptOfTheExampleReturnsThePagesOfItsTable(t *testing.T) {
	wasm, err := os.ReadFile(pageHeadings + "dist/page-headings.wasm")
	if err != nil {
		t.Fatal(err)
	}
	report, err := trial.Golden(t.Context(), wasm, module.Options{}, pageHeadings+"page-headings/testdata/golden.json", host.LaunchOptions{})
	if err != nil || !report.OK {
		t.Errorf("got %+v (%v)", report, err)
	}
}

func TestAPageScriptIsTriedInTheDocumentOfItsCase(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		t.Helper()
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return file
	}
	write("one.html", "<h1>One</h1>")
	const manifest = `{"name":"page-headings","version":"1.0.0","hooks":["hermes_tool_call"],"capabilities":["page"],"tools":[
		{"name":"page_headings","description":"Outline.","input_schema":{"type":"object"},"page_script":"SCRIPT"}]}`
	const table = `{"hook":"hermes_tool_call","cases":[{"name":"case",DOCUMENT"event":{"tool":"page_headings","page":"PAGE"},
		"verdict":{"text":"# One","structured":{"levels":{"h1":1},"shown":1,"total":1}}}]}`
	const one = `{"total":1,"headings":[{"text":"One","level":1}]}`
	for name, c := range map[string]struct{ script, document, page, says string }{
		"the same value":        {"return {headings: [{level: 1, text: document.querySelector('h1').textContent}], total: 1}", "one.html", one, ""},
		"another value":         {"return {headings: [], total: 0}", "one.html", one, `the page script of page_headings returned {"headings":[],"total":0}` + "\nwant " + one},
		"an exception":          {"throw new Error('no luck')", "one.html", one, "no luck"},
		"no document":           {"throw new Error('no luck')", "", one, ""},
		"a document not there":  {"return 1", "two.html", one, "document two.html: it is not in " + dir},
		"a document elsewhere":  {"return 1", "../one.html", one, `the document "../one.html" is not in the directory of the table`},
		"a tool without script": {"", "one.html", one, "the tool page_headings has no page script"},
	} {
		t.Run(name, func(t *testing.T) {
			packed := filepath.Join(dir, "packed.wasm")
			if _, err := pack.Pack(pageHeadings+"dist/page-headings.wasm", write("manifest.json", strings.ReplaceAll(manifest, "SCRIPT", c.script)), packed); err != nil {
				t.Fatal(err)
			}
			wasm, err := os.ReadFile(packed)
			if err != nil {
				t.Fatal(err)
			}
			document := ""
			if c.document != "" {
				document = `"document":"` + c.document + `",`
			}
			text := strings.NewReplacer("DOCUMENT", document, "PAGE", strings.ReplaceAll(c.page, `"`, `\"`)).Replace(table)
			report, err := trial.Golden(t.Context(), wasm, module.Options{}, write("golden.json", text), host.LaunchOptions{})
			if err != nil || len(report.Cases) != 1 {
				t.Fatalf("got %+v (%v)", report, err)
			}
			if got := report.Cases[0]; got.OK != (c.says == "") || !strings.Contains(got.Detail, c.says) {
				t.Errorf("got %+v, want %q", got, c.says)
			}
		})
	}
}
