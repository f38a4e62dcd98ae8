package query

import (
	"encoding/json"
	"fmt"
	"testing"
)

func TestClosedShadowRootsAreFoundWithinOthersButNotInFrames(t *testing.T) {
	var n rootNode
	if err := json.Unmarshal([]byte(`{"backendNodeId":1,"children":[
		{"backendNodeId":2,"shadowRoots":[{"backendNodeId":3,"shadowRootType":"open","children":[
			{"backendNodeId":4,"shadowRoots":[{"backendNodeId":5,"shadowRootType":"closed","children":[
				{"backendNodeId":6,"shadowRoots":[{"backendNodeId":7,"shadowRootType":"closed"}]}]}]}]}]},
		{"backendNodeId":8,"shadowRoots":[{"backendNodeId":9,"shadowRootType":"user-agent","children":[
			{"backendNodeId":10,"shadowRoots":[{"backendNodeId":11,"shadowRootType":"closed"}]}]}]},
		{"backendNodeId":12,"contentDocument":{"backendNodeId":13,"children":[
			{"backendNodeId":14,"shadowRoots":[{"backendNodeId":15,"shadowRootType":"closed"}]}]}}]}`), &n); err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(n.closed(nil)); got != "[5 7]" {
		t.Errorf("got %s", got)
	}
}
