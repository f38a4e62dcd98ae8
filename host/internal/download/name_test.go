package download

import (
	"strings"
	"testing"
)

func TestTheNameOfADownloadIsSafe(t *testing.T) {
	for suggested, wanted := range map[string]string{
		"report.pdf": "report.pdf", "": "download", "..": "download", "/": "_", "../../etc/passwd": "passwd",
		`C:\temp\a.txt`: "a.txt", ".hidden": "hidden", "a\nb\u202etxt.exe": "a_b_txt.exe", "con:x|y?.txt": "con_x_y_.txt", "שלום.txt": "שלום.txt",
		strings.Repeat("a", 500) + ".txt": strings.Repeat("a", maxFileName-4) + ".txt",
	} {
		if got := FileName(suggested); got != wanted {
			t.Errorf("%q: %q, want %q", suggested, got, wanted)
		}
	}
}

func FuzzFileName(f *testing.F) {
	f.Add("a/b\\c.txt")
	f.Fuzz(func(t *testing.T, suggested string) {
		name := FileName(suggested)
		if name == "" || name == "." || name == ".." || len(name) > maxFileName || strings.ContainsAny(name, "/\\\x00") {
			t.Errorf("%q: %q", suggested, name)
		}
	})
}
