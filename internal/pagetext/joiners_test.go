package pagetext

import (
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestJoinersStayWhereTheyBelong(t *testing.T) {
	for _, text := range []string{
		"👩\u200d💻", "👩🏽\u200d🚀", "❤\ufe0f\u200d🔥", "🙂\u200d↔\ufe0f", "می\u200cخواهم", "کِ\u200cتاب", "क्\u200dष", "ක්\u200dර",
	} {
		if Line(text) != text || Lines(text) != text || Quote(text) != `"`+text+`"` {
			t.Errorf("%+q is shown as %s, %s and %s", text, Line(text), Lines(text), Quote(text))
		}
	}
	for text, want := range map[string]string{
		"pay\u200dpal": `pay\u200dpal`, "pay\u200cpal": `pay\u200cpal`, "👩\u200c💻": `👩\u200c💻`, "م\u200c": `م\u200c`, "\u200cم": `\u200cم`,
		"م\u200c\u200cم": `م\u200c\u200cم`, "م\u200ca": `م\u200ca`, "م\u202eم": `م\u202eم`, "👩\u200d": `👩\u200d`, "م\u200bم": `م\u200bم`,
	} {
		if Line(text) != want || Lines(text) != want || Quote(text) != `"`+want+`"` {
			t.Errorf("%+q is shown as %s, %s and %s, want %s", text, Line(text), Lines(text), Quote(text), want)
		}
	}
}

func TestShownTextIsQuotedOnce(t *testing.T) {
	for text, want := range map[string]string{
		"plain": `"plain"`, "hi\u202e there": `"hi\u202e there"`, `say "x"`: `"say \"x\""`, `a\`: `"a\\"`, `a\"b`: `"a\\\"b"`, `C:\x`: `"C:\x"`, "": `""`,
	} {
		if got := QuoteShown(Line(text)); got != want {
			t.Errorf("%q is quoted as %s, want %s", text, got, want)
		}
	}
}

// A reader that treats backslashes in a quoted text as Go and JSON do finds its end, and no other.
func TestNoTextEscapesItsQuotes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringOf(rapid.SampledFrom([]rune("\\\"au\u202e\u200d "))).Draw(t, "text")
		for _, quoted := range []string{QuoteShown(Line(text)), Quote(text)} {
			if literal([]byte(quoted)) != len(quoted) || !strings.HasSuffix(quoted, `"`) {
				t.Fatalf("%s is quoted as %s", strconv.Quote(text), quoted)
			}
		}
	})
}

func TestTheStringsInJSONAreVisible(t *testing.T) {
	for value, want := range map[string]string{
		`{"url":"a\u202eb","n":1.50}`:     `{"url":"a\\u202eb","n":1.50}`,
		"[\"a\u202eb\", \"\\\" <b>\\n\"]": `["a\\u202eb", "\" <b>\n"]`,
		`"\u001b[2J\u009b"`:               `"\\x1b[2J\\u009b"`,
		`null`:                            `null`, `"open`: `"open`, `"`: `"`, `"\`: `"\`,
	} {
		if got := string(JSON([]byte(value))); got != want {
			t.Errorf("%s becomes %s, want %s", value, got, want)
		}
	}
}
