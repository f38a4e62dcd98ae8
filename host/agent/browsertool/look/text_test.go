package look

import "testing"

// A model reads the text alone: it has to say what is missing from it.
func TestATextSaysWhatIsMissing(t *testing.T) {
	for want, r := range map[string]ExtractResult{
		"the page says:\nall": {Extracted: "all"},
		"these frames did not answer, so their text is missing: F1, F2\nthe page says:\nsome":    {Extracted: "some", Unresponsive: []string{"F1", "F2"}},
		"the page, or a frame of it, is still loading: more text may come\nthe page says:\nsome": {Extracted: "some", Loading: true},
		"the beginning of the 9 characters that the page says:\nsome":                            {Extracted: "some", Chars: 9, Truncated: true},
		"what follows the first 4 of the 9 characters that the page says:\nmore":                 {Extracted: "more", Chars: 9, offset: 4},
	} {
		if got := r.Text(); got != want {
			t.Errorf("%q instead of %q", got, want)
		}
	}
}
