package agents

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host"
)

// pdfOf is a PDF file of one page with lines of text.
func pdfOf(lines ...string) string {
	var text strings.Builder
	for i, line := range lines {
		fmt.Fprintf(&text, "BT /F1 18 Tf 20 %d Td (%s) Tj ET\n", 160-24*i, line)
	}
	return fmt.Sprintf("%%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n"+
		"3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 200]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>endobj\n"+
		"4 0 obj<</Length %d>>stream\n%sendstream endobj\n5 0 obj<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>endobj\ntrailer<</Root 1 0 R>>\n", text.Len(), text.String())
}

// The text of a PDF file is read like that of any page, in a tab of its own and within a page.
func TestTheTextOfAPDFIsRead(t *testing.T) {
	t.Parallel()
	b := newBench(t, common.Address(t), host.Options{})
	b.Handle("/invoice.pdf", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/pdf")
		_, _ = w.Write([]byte(pdfOf("Invoice number 4711", "Total: 12 euros")))
	})
	u := b.newUser(t, host.TaskOptions{})
	const told = "Invoice number 4711\nTotal: 12 euros"
	for _, until := range []string{"commit", "load"} {
		u.good("browser_navigate", arguments{"url": "{{localhost}}/two"})
		r := u.good("browser_navigate", arguments{"url": "{{localhost}}/invoice.pdf", "wait_until": until})
		for line := range strings.SplitSeq(told, "\n") {
			if !strings.Contains(text(t, r, "snapshot"), `  - paragraph: "`+line+`"`) {
				t.Errorf("%s, %s is not in the snapshot: %s", until, line, r.Text)
			}
		}
		is(t, "the text", text(t, u.good("browser_extract_text", nil), "text"), told)
	}
	want(t, u.good("browser_download", arguments{"role": "button", "name": "Download"}), "bytes", fmt.Sprint(len(pdfOf("Invoice number 4711", "Total: 12 euros"))))
	u.good("browser_navigate", arguments{"url": "{{localhost}}/two"})
	u.good("browser_navigate", arguments{"url": "{{localhost}}/invoice.pdf", "wait_until": "commit"})
	is(t, "the text at once", text(t, u.good("browser_extract_text", arguments{"offset": 20, "max_chars": 5}), "text"), "Total")

	u.body(`<h1>Ours</h1><iframe src="/invoice.pdf" width=400 height=300></iframe>`, `0`)
	u.good("browser_wait_for", arguments{"role": "button", "name": "Print"})
	is(t, "the text of both", text(t, u.good("browser_extract_text", nil), "text"), "Ours\n\n"+told)
	if r := u.good("browser_find", arguments{"text": "4711"}); !strings.Contains(r.Text, `* paragraph`) {
		t.Errorf("nothing is found: %s", r.Text)
	}
}
