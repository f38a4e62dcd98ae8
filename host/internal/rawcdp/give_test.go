package rawcdp

import (
	"encoding/json"
	"slices"
	"testing"
)

// The browser ignores parameters that a command does not have, so they must not hide those that it has.
func TestTheFilesOfACommandAreThoseThatTheBrowserReads(t *testing.T) {
	const both = `{"files":["/plain"],"data":{"files":["/dragged"]}}`
	for _, c := range []struct {
		method, params string
		want           []string
	}{
		{"DOM.setFileInputFiles", both, []string{"/plain"}},
		{"DOM.setFileInputFiles", `{"files":["/plain"],"data":{"files":[]}}`, []string{"/plain"}},
		{"DOM.setFileInputFiles", `{"files":["/plain"],"data":7}`, []string{"/plain"}},
		{"Page.handleFileChooser", both, []string{"/plain"}},
		{"Page.handleFileChooser", `{"action":"cancel"}`, nil},
		{"Input.dispatchDragEvent", both, []string{"/dragged"}},
		{"Input.dispatchDragEvent", `{"data":{"items":[]}}`, nil},
	} {
		p, err := parseParams(Call{Method: c.method, Params: json.RawMessage(c.params)})
		if err != nil {
			t.Fatal(err)
		}
		if got, err := filesOf(c.method, p); err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%s %s gives %q, %v", c.method, c.params, got, err)
		}
	}
}
