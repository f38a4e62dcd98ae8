package page

import (
	"encoding/json"
	"testing"

	cdproto "github.com/chromedp/cdproto/cdp"
)

// FuzzTree verifies that the tree stays within its bounds, whatever a renderer replies.
func FuzzTree(f *testing.F) {
	f.Add([]byte(`[{"nodeId":"1","role":{"value":"RootWebArea"},"childIds":["2","3"]},{"nodeId":"2","parentId":"1","role":{"value":"button"},"name":{"value":"A"},"childIds":["1","2"],"backendDOMNodeId":5},{"nodeId":"3","parentId":"1","ignored":true,"childIds":["3","2"]}]`))
	f.Add([]byte(`[{"nodeId":"1","childIds":["1"]}]`))
	f.Add([]byte(`[{"nodeId":"1","role":{"value":7},"childIds":["2"]},{"nodeId":"2","parentId":"1","role":{"value":"StaticText"},"name":{"value":["x"]}}]`))
	f.Fuzz(func(t *testing.T, data []byte) {
		var nodes []axNode
		if json.Unmarshal(data, &nodes) != nil {
			return
		}
		r := &raw{frames: []Frame{{ID: "F"}}}
		r.trees = map[cdproto.FrameID][]axNode{"F": nodes}
		tree := build(r)
		w, err := tree.Write(View{Budget: 1000, Give: func(*Node) int { return 1 }, Next: 1})
		if err != nil || length(w.Text) > 1000 {
			t.Fatalf("%d characters, %v", length(w.Text), err)
		}
	})
}
