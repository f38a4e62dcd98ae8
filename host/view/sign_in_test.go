package view

import "testing"

func TestAnAccountIsNamedByWhatOnlyItHas(t *testing.T) {
	in := &SignIn{Accounts: []Account{
		{ID: "1", Email: "ann@example.com", Name: "Ann"}, {ID: "2", Email: "bob@example.com", Name: "Twin"}, {ID: "3", Name: "Twin"}, {ID: "twin", Name: "ann@example.com"},
	}}
	for text, want := range map[string]int{
		"ann@example.com": 0, "ANN@EXAMPLE.COM ": 0, "Ann": 0, "2": 1, "3": 2, "Twin": 3, "": -1, "nobody": -1, " ": -1,
	} {
		if got := in.Find(text); got != want {
			t.Errorf("%q is account %d, want %d", text, got, want)
		}
	}
	in.Accounts = in.Accounts[1:3]
	if got := in.Find("Twin"); got != -1 {
		t.Errorf("a name of two accounts is that of %d", got)
	}
	in.Accounts = in.Accounts[:1]
	if got := in.Find(""); got != 0 {
		t.Errorf("the only account is %d", got)
	}
}

func TestAnAnswerIsForADialogToSignInUnlessAPageHasOne(t *testing.T) {
	with := []Target{{ID: "tab", SignIn: &SignIn{ID: "d-2"}}}
	pages := []Dialog{{ID: "d-1"}}
	for name, c := range map[string]struct {
		s    Snapshot
		id   string
		want bool
	}{
		"neither":             {Snapshot{}, "", false},
		"only a page's":       {Snapshot{PendingDialogs: pages}, "", false},
		"only to sign in":     {Snapshot{Targets: with}, "", true},
		"an unknown name":     {Snapshot{Targets: with}, "d-3", true},
		"both":                {Snapshot{Targets: with, PendingDialogs: pages}, "", false},
		"both, and its name":  {Snapshot{Targets: with, PendingDialogs: pages}, "d-2", true},
		"both, and a page's":  {Snapshot{Targets: with, PendingDialogs: pages}, "d-1", false},
		"both, unknown names": {Snapshot{Targets: with, PendingDialogs: pages}, "d-3", false},
	} {
		if got := c.s.AnswersSignIn(c.id); got != c.want {
			t.Errorf("%s: %t, want %t", name, got, c.want)
		}
	}
}
