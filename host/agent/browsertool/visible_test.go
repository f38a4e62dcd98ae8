package browsertool

import (
	"strings"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/agent/internal/result"
)

// What was made visible for the result is not escaped once more for its text, and cannot leave its quotes.
func TestPagesWordsAreEscapedOnce(t *testing.T) {
	const said, title = "hi\u202e \"there\"", `hi\u202e \"there\"`
	tab := tabs([]host.TabInfo{{Handle: "t1", URL: "https://a/", Title: said}})
	for name, text := range map[string]string{
		"dialog": strings.Join(result.DialogLines([]host.Dialog{{ID: "d-1", Message: said}}), "\n"),
		"prompt": strings.Join(result.DialogLines([]host.Dialog{{ID: "d-1", DefaultPrompt: said}}), "\n"),
		"tabs":   TabsResult{Tabs: tab}.Text(),
		"goto":   GotoResult{Title: result.Visible(said)}.Text(),
		"back":   HistoryResult{Title: result.Visible(said)}.Text(),
	} {
		if !strings.Contains(text, `"`+title+`"`) {
			t.Errorf("%s: %s", name, text)
		}
	}
}
