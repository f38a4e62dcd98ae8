package pagetext

import "testing"

func TestATextOfSeveralLinesIsPrintable(t *testing.T) {
	for text, want := range map[string]string{
		"plain": "plain", "two\nlines\tand a tab": "two\nlines\tand a tab", "größer 漢字 😀": "größer 漢字 😀",
		"\x1b[31m": `\x1b[31m`, "a\u202eb\u2066": `a\u202eb\u2066`, "no\u00a0break": "no break", "zero\u200bwidth": `zero\u200bwidth`,
		"\r\n": `\r` + "\n", "line\u2028": `line\u2028`, "\U000e0041": `\U000e0041`, "\x00": `\x00`,
	} {
		if got := Lines(text); got != want {
			t.Errorf("%q is shown as %q, want %q", text, got, want)
		}
	}
	for _, c := range []struct {
		text  string
		limit int
		want  string
	}{{"abc", 3, "abc"}, {"abcd", 3, "abc"}, {"a€", 3, "a"}, {"€", 2, ""}} {
		if got := Shorten(c.text, c.limit); got != c.want {
			t.Errorf("%q cut at %d is %q", c.text, c.limit, got)
		}
	}
	for _, c := range []struct {
		text  string
		limit int
		want  string
	}{{"abc", 3, "abc"}, {"abcd", 3, "abc"}, {"€€a", 2, "€€"}, {"€", 0, ""}, {"", 0, ""}} {
		if got := ShortenRunes(c.text, c.limit); got != c.want {
			t.Errorf("%q cut at %d runes is %q", c.text, c.limit, got)
		}
	}
}

func TestALineIsASingleLine(t *testing.T) {
	for text, want := range map[string]string{
		"two\r\nlines": "two lines", "\x1b[2J": `\x1b[2J`, "a\u202eb": `a\u202eb`, "plain": "plain", "tab\t": `tab\t`,
	} {
		if got := Line(text); got != want {
			t.Errorf("%q is shown as %q, want %q", text, got, want)
		}
	}
	if got := Quote("a\" b\n\u2066"); got != `"a\" b\n\u2066"` {
		t.Errorf("the quoted text is %s", got)
	}
}
