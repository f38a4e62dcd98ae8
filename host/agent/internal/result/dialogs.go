package result

import (
	"fmt"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/internal/pagetext"
)

// DialogInfo is a dialog as shown to agents. Message and DefaultPrompt come from the page, escaped for display.
type DialogInfo struct {
	ID            string          `json:"id"`
	Type          host.DialogType `json:"type"`
	Message       string          `json:"message"`
	DefaultPrompt string          `json:"default_prompt"`
	OpenedAt      host.UnixTime   `json:"opened_at"`
	FrameID       string          `json:"frame_id"`
	SessionID     string          `json:"session_id"`
	TargetID      string          `json:"target_id"`
	Origin        string          `json:"origin,omitempty"`
	// The remaining fields are set for closed dialogs. Text is what an accepted prompt returned.
	ClosedAt host.UnixTime `json:"closed_at,omitzero"`
	ClosedBy host.ClosedBy `json:"closed_by,omitempty"`
	Accepted bool          `json:"accepted,omitempty"`
	Text     string        `json:"text,omitempty"`
	// ArmedUnused says why the answer armed for it was not used: the operator's policy is final, or failed and fails
	// closed.
	ArmedUnused string `json:"armed_unused,omitempty"`
}

func Dialog(d host.Dialog) DialogInfo {
	return DialogInfo{
		ID: d.ID, Type: d.Type, Message: Visible(d.Message), DefaultPrompt: Visible(d.DefaultPrompt), OpenedAt: d.OpenedAt,
		FrameID: d.FrameID, SessionID: d.SessionID, TargetID: d.TargetID, Origin: d.Origin,
		ClosedAt: d.ClosedAt, ClosedBy: d.ClosedBy, Accepted: d.Accepted, Text: Visible(d.Text),
		ArmedUnused: d.ArmedUnused,
	}
}

func Dialogs(list []host.Dialog) []DialogInfo {
	out := make([]DialogInfo, len(list))
	for i, d := range list {
		out[i] = Dialog(d)
	}
	return out
}

// DialogLines describes dialogs, with text from pages in quotes.
func DialogLines(list []host.Dialog) []string { return InfoLines(Dialogs(list)) }

func InfoLines(list []DialogInfo) []string {
	lines := make([]string, len(list))
	for i, d := range list {
		lines[i] = fmt.Sprintf("dialog %s %s, the page at %s says %s", d.ID, d.Type, d.Origin, pagetext.QuoteShown(d.Message))
		if d.DefaultPrompt != "" {
			lines[i] += ", default " + pagetext.QuoteShown(d.DefaultPrompt)
		}
		if d.ClosedBy != "" {
			how := "dismissed"
			if d.Accepted {
				how = "accepted"
			}
			lines[i] += ", " + how + ", closed by " + string(d.ClosedBy)
		}
		if d.ArmedUnused != "" {
			lines[i] += ", your armed answer was not used: " + d.ArmedUnused
		}
	}
	return lines
}
