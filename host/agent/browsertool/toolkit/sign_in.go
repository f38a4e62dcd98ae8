package toolkit

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/agent/internal/result"
	"github.com/hermes-cdp/hermes-cdp/internal/pagetext"
)

// SignInInfo is a dialog of the browser's own to sign in, as shown to agents. The first result after it opened has it
// under the key "sign_in", whichever tool was called.
type SignInInfo struct {
	ID       string          `json:"id"`
	Kind     host.SignInKind `json:"kind"`
	Title    string          `json:"title,omitempty"`
	Subtitle string          `json:"subtitle,omitempty"`
	Accounts []host.Account  `json:"accounts,omitempty"`
	OpenedAt host.UnixTime   `json:"opened_at"`
	Tab      string          `json:"tab,omitempty"`
}

// SignIn makes what a page and an identity provider have said in a dialog safe to show.
func (k *Kit) SignIn(in host.SignIn) SignInInfo {
	info := SignInInfo{
		ID: in.ID, Kind: in.Kind, Title: result.Visible(in.Title), Subtitle: result.Visible(in.Subtitle), OpenedAt: in.OpenedAt, Tab: k.Task.Tab(in.TargetID).Info().Handle,
	}
	for _, a := range in.Accounts {
		info.Accounts = append(info.Accounts, host.Account{ID: result.Visible(a.ID), Email: result.Visible(a.Email), Name: result.Visible(a.Name), Provider: result.Visible(a.Provider)})
	}
	return info
}

// kinds are what dialogs to sign in say, in words.
var kinds = map[host.SignInKind]string{
	host.SignInAccount: "asks for an account", host.SignInAgain: "signs in with an account that was used before",
	host.SignInProvider: "asks to log in at the provider first", host.SignInError: "says that the provider has refused",
}

// text is what a model reads.
func (s SignInInfo) text() string {
	text := fmt.Sprintf("dialog %s over tab %s, in which the browser %s: %s", s.ID, s.Tab, kinds[s.Kind], pagetext.QuoteShown(strings.TrimSpace(s.Title+" "+s.Subtitle)))
	names := make([]string, len(s.Accounts))
	for i, a := range s.Accounts {
		if names[i] = a.Label(); a.Name != "" && a.Name != names[i] {
			names[i] += " (" + a.Name + ")"
		}
	}
	if len(names) > 0 {
		text += ", " + strings.Join(names, ", ")
	}
	return text
}

// tellSignIns adds to one result the dialogs to sign in that have opened since the last one.
func (k *Kit) tellSignIns(r result.Result, tools result.Offered) result.Result {
	var list []SignInInfo
	var lines []string
	for _, in := range k.Task.Snapshot().SignIns() {
		if k.isNews(in.ID) {
			info := k.SignIn(*in)
			list, lines = append(list, info), append(lines, info.text())
		}
	}
	if len(list) == 0 {
		return r
	}
	r = k.withUntrusted(r, "sign_in", list, lines)
	if advice := answerSignIn(tools); advice != "" {
		r.Text += "\n" + advice
	}
	return r
}

// answerSignIn says how to answer a dialog to sign in.
func answerSignIn(tools result.Offered) string {
	return tools.Advice("browser_dialog accepts it, with the account's e-mail address as prompt_text, or dismisses it", "somebody has to answer it")
}

// isNews notes that a result tells of a dialog to sign in, and reports whether none has before.
func (k *Kit) isNews(id string) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	if slices.Contains(k.signIns, id) {
		return false
	}
	k.signIns = append(k.signIns, id)
	if len(k.signIns) > maxSignIns {
		k.signIns = k.signIns[1:]
	}
	return true
}

// maxSignIns is how many dialogs to sign in are remembered: more than there are tabs.
const maxSignIns = 200
