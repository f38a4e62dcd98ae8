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
