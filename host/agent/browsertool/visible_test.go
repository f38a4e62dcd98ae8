package browsertool

import (
	"strings"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/agent/browsertool/move"
	"github.com/hermes-cdp/hermes-cdp/host/agent/browsertool/toolkit"
	"github.com/hermes-cdp/hermes-cdp/host/agent/internal/result"
)

// What was made visible for the result is not escaped once more for its text, and cannot leave its quotes.
func TestPagesWordsAreEscapedOnce(t *testing.T) {
	const said, title = "hi\u202e \"there\"", `hi\u202e \"there\"`
	tab := toolkit.VisibleTabs([]host.TabInfo{{Handle: "t1", URL: "https://a/", Title: said}})
	for name, text := range map[string]string{
		"dialog": strings.Join(result.DialogLines([]host.Dialog{{ID: "d-1", Message: said}}), "\n"),
		"prompt": strings.Join(result.DialogLines([]host.Dialog{{ID: "d-1", DefaultPrompt: said}}), "\n"),
		"tabs":   move.TabsResult{Tabs: tab}.Text(),
		"goto":   toolkit.GotoResult{Title: result.Visible(said)}.Text(),
		"back":   move.HistoryResult{Title: result.Visible(said)}.Text(),
	} {
		if !strings.Contains(text, `"`+title+`"`) {
			t.Errorf("%s: %s", name, text)
		}
	}
}
