package toolresult

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host/agent"
)

func TestPicturesBecomeFiles(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "pictures")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	png, jpeg := agent.Image{MIMEType: "image/png", Data: []byte("png")}, agent.Image{MIMEType: "image/jpeg", Data: []byte("jpeg")}
	kept := map[string]any{"results": []any{
		map[string]any{"result": map[string]any{"screenshot_path": "/kept/1.png"}}, map[string]any{}, map[string]any{"result": map[string]any{"screenshot_path": "/kept/2.png"}},
	}}
	for name, c := range map[string]struct {
		result agent.Result
		place  Place
		want   []string // paths, or data
	}{
		"none":                              {agent.Result{}, Place{Output: filepath.Join(dir, "none.png")}, []string{}},
		"what the daemon kept stays":        {agent.Result{Structured: kept, Images: []agent.Image{png, jpeg}}, Place{}, []string{"/kept/1.png", "/kept/2.png"}},
		"what it did not keep is written":   {agent.Result{Images: []agent.Image{png, jpeg}}, Place{}, []string{dir + "/*.png", dir + "/*.jpg"}},
		"to a file":                         {agent.Result{Structured: kept, Images: []agent.Image{png, jpeg}}, Place{Output: dir + "/a.b.png"}, []string{dir + "/a.b.png", dir + "/a.b-2.png"}},
		"within the object":                 {agent.Result{Structured: kept, Images: []agent.Image{png}}, Place{Base64: true}, []string{"cG5n"}},
		"one that is kept is not all":       {agent.Result{Structured: map[string]any{"screenshot_path": "/kept"}, Images: []agent.Image{png, png}}, Place{}, []string{dir + "/*.png", dir + "/*.png"}},
		"a kind of picture that is unheard": {agent.Result{Images: []agent.Image{{MIMEType: "image/x-new"}}}, Place{}, []string{dir + "/*.bin"}},
	} {
		t.Run(name, func(t *testing.T) {
			c.place.Dir = dir
			got, err := Pictures(c.result, c.place)
			if err != nil || len(got) != len(c.want) {
				t.Fatalf("got %+v, %v", got, err)
			}
			for i, p := range got {
				if match, _ := filepath.Match(c.want[i], p.Path+p.Data); !match {
					t.Errorf("picture %d is %+v, want %s", i, p, c.want[i])
				}
				if !p.ours {
					continue
				}
				data, err := os.ReadFile(p.Path)
				info, _ := os.Stat(p.Path)
				if err != nil || !slices.Equal(data, c.result.Images[i].Data) || info.Mode().Perm() != 0o600 {
					t.Errorf("the file has %q and the mode %v (%v)", data, info.Mode(), err)
				}
			}
		})
	}
	if _, err := Pictures(agent.Result{Images: []agent.Image{png}}, Place{}); !errors.Is(err, ErrNoPlace) {
		t.Errorf("without a place: %v", err)
	}
}
