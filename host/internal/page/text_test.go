package page

import (
	"bytes"
	"image"
	"image/png"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestAPagesTextStaysInItsQuotes(t *testing.T) {
	for text, want := range map[string]string{
		"plain": `"plain"`, `a" @e1`: `"a\" @e1"`, "two\n  lines": `"two lines"`, "\x1b[2J": `"\x1b[2J"`, "safe\u202egnp": `"safe\u202egnp"`,
		"👩\u200d💻": "\"👩\u200d💻\"", "👩🏽\u200d🚀": "\"👩🏽\u200d🚀\"", "pay\u200dpal": `"pay\u200dpal"`, "שלום": `"שלום"`, "zero\u200bwidth": `"zero\u200bwidth"`,
	} {
		if got, cut := Clip(text, 100); got != want || cut {
			t.Errorf("%q is shown as %s", text, got)
		}
	}
	if got, cut := Clip("ä漢字 four five", 5); got != `"ä漢字 f"…` || !cut {
		t.Errorf("the capped text is %s", got)
	}
}

func TestAnElementWithoutANameIsCalledByItsRole(t *testing.T) {
	for name, want := range map[string]string{"": "button", " \u00a0\n": "button", "Save": `button "Save"`} {
		if got := Describe("button", name); got != want {
			t.Errorf("with the name %q it is called %s", name, got)
		}
	}
}

func TestNoTextBreaksItsLine(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.String().Draw(t, "text")
		limit := rapid.IntRange(1, 50).Draw(t, "limit")
		got, _ := Clip(text, limit)
		inner := strings.TrimSuffix(strings.TrimSuffix(got, "…"), `"`)
		if strings.ContainsAny(got, "\n\r\t\u202e\u2028") || !strings.HasPrefix(got, `"`) || strings.Contains(strings.ReplaceAll(strings.ReplaceAll(inner[1:], `\\`, ""), `\"`, ""), `"`) {
			t.Fatalf("%q is shown as %s", text, got)
		}
	})
}

func TestAURLIsShownWithoutSecrets(t *testing.T) {
	for url, want := range map[string]string{
		"https://a/b?page=2&q=x":                     "https://a/b?page=2&q=x",
		"https://a/b?token=t&page=2#part":            "https://a/b?token=[redacted]&page=2#part",
		"https://s3/x?X-Amz-Signature=abc&X-Amz-A=1": "https://s3/x?X-Amz-Signature=[redacted]&X-Amz-A=1",
		"https://user:pass@a/b":                      "https://[redacted]@a/b",
		"https://a/#access_token=t&x=1":              "https://a/#access_token=[redacted]&x=1",
		"https://a/#top":                             "https://a/#top",
		"data:image/png;base64,AAAA":                 "data:image/png;base64,…",
		"http://a/%zz?token=t":                       "[redacted]",
		"about:blank":                                "about:blank",
	} {
		if got := SafeURL(url); got != want {
			t.Errorf("%s is shown as %s, want %s", url, got, want)
		}
	}
}

func TestBoxesStayInThePicture(t *testing.T) {
	var blank bytes.Buffer
	if err := png.Encode(&blank, image.NewGray(image.Rect(0, 0, 60, 40))); err != nil {
		t.Fatal(err)
	}
	boxes := []Box{{Number: 1234567890, Rect: image.Rect(50, 30, 60, 40)}, {Number: 7, Rect: image.Rect(0, 0, 2, 2)}}
	drawn, err := annotate(blank.Bytes(), boxes)
	if err != nil {
		t.Fatal(err)
	}
	picture, err := png.Decode(bytes.NewReader(drawn))
	if err != nil || picture.Bounds() != image.Rect(0, 0, 60, 40) {
		t.Fatalf("the picture is %v, %v", picture, err)
	}
	if _, err := annotate([]byte("no picture"), nil); err == nil {
		t.Error("what is no picture was drawn on")
	}
}
