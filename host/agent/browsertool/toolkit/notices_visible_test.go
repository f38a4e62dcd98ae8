package toolkit

import (
	"strings"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/agent/internal/result"
)

// What was made visible for a notice is not escaped once more for its text, and cannot leave its quotes.
func TestPagesWordsAreEscapedOnceInNotices(t *testing.T) {
	const said, title = "hi\u202e \"there\"", `hi\u202e \"there\"`
	tab := VisibleTabs([]host.TabInfo{{Handle: "t1", URL: "https://a/", Title: said}})
	for name, text := range map[string]string{
		"restarted": strings.Join(RestartInfo{Tabs: tab}.Lines(nil), "\n"),
		"download":  DownloadInfo{Name: result.Visible(said)}.text(),
	} {
		if !strings.Contains(text, `"`+title+`"`) {
			t.Errorf("%s: %s", name, text)
		}
	}
}
