package page

import (
	"strconv"
	"strings"

	"github.com/chromedp/cdproto/accessibility"
	cdproto "github.com/chromedp/cdproto/cdp"
)

// axNode has the fields of an Accessibility.AXNode that are used. The generated type rejects values that are newer than
// itself.
type axNode struct {
	ID          string                `json:"nodeId"`
	Ignored     bool                  `json:"ignored"`
	Role        axValue               `json:"role"`
	Name        axValue               `json:"name"`
	Value       axValue               `json:"value"`
	Description axValue               `json:"description"`
	Properties  []axProperty          `json:"properties"`
	Parent      string                `json:"parentId"`
	Children    []string              `json:"childIds"`
	Backend     cdproto.BackendNodeID `json:"backendDOMNodeId"`
}

type axValue struct {
	Value any `json:"value"`
}

type axProperty struct {
	Name  string  `json:"name"`
	Value axValue `json:"value"`
}

// text returns the value as text.
func (v axValue) text() string {
	switch x := v.Value.(type) {
	case string:
		return x
	case float64:
		return strconv.FormatFloat(x, 'f', -1, 64)
	case bool:
		return strconv.FormatBool(x)
	}
	return ""
}

func (n *axNode) property(name string) string {
	for _, p := range n.Properties {
		if p.Name == name {
			return p.Value.text()
		}
	}
	return ""
}

// is reports whether a property holds. Chromium writes that a node is busy as a number.
func (n *axNode) is(property string) bool {
	value := n.property(property)
	return value == "true" || value == "1"
}

// roleText is the role of a node that is nothing but text.
const roleText = "text"

// roleNames translates Chromium's own names of roles to those of ARIA.
var roleNames = map[string]string{
	"StaticText": roleText, "RootWebArea": "document", "Iframe": "iframe", "IframePresentational": "iframe", "img": "image",
	"DisclosureTriangle": "button", "DisclosureTriangleGrouped": "button", "PopUpButton": "combobox", "ComboBoxSelect": "combobox",
	"InputTime": "timebox", "Date": "datebox", "DateTime": "datebox", "ColorWell": "colorbox", "SvgRoot": "image",
	"Details": "group", "LabelText": "label", "EmbeddedObject": "object", "PluginObject": "object",
}

// roleOf returns the role as assistive technology knows it.
func roleOf(n *axNode) string {
	role := n.Role.text()
	if name, ok := roleNames[role]; ok {
		return name
	}
	if role == "" {
		return "generic"
	}
	return strings.ToLower(role)
}

func set(names string) map[string]bool {
	m := map[string]bool{}
	for name := range strings.FieldsSeq(names) {
		m[name] = true
	}
	return m
}

var (
	// Nodes of these roles carry no information: their children take their place.
	wrapperRoles = set("generic none presentation menulistpopup section div rubyannotation ruby group layouttable layouttablerow layouttablecell rowgroup")
	// The same holds for these, which may have names.
	phraseRoles = set("emphasis strong code mark insertion deletion superscript subscript time label abbr legend figcaption pre caption sectionheader sectionfooter")
	// Nodes of these roles, and all their descendants, are left out.
	skippedRoles = set("inlinetextbox linebreak listmarker")
	// Nodes of these roles can be acted on.
	actionableRoles = set("button canvas link textbox searchbox combobox listbox checkbox radio switch slider spinbutton menuitem menuitemcheckbox " +
		"menuitemradio tab treeitem option datebox timebox colorbox togglebutton scrollbar textfield textfieldwithcombobox")
	// Nodes of these roles are named by the text in them, which need not be repeated.
	namedByText = set("button link heading option tab menuitem menuitemcheckbox menuitemradio checkbox radio switch treeitem cell gridcell " +
		"columnheader rowheader row tooltip label listitem togglebutton summary")
	// Nodes of these roles need no name where their children say the same.
	namedByChildren = set("cell gridcell row listitem columnheader rowheader label")
	// Nodes of these roles have their text as a value.
	holdText = set("textbox searchbox spinbutton datebox timebox colorbox slider textfield")
)

// axIndex is an index of the nodes of one document.
type axIndex struct {
	nodes []axNode
	byID  map[string]int
	taken []bool // so that a compromised renderer cannot make the tree endless
}

func newAXIndex(nodes []axNode) *axIndex {
	k := &axIndex{nodes: nodes, byID: make(map[string]int, len(nodes)), taken: make([]bool, len(nodes))}
	for i := range nodes {
		k.byID[nodes[i].ID] = i
	}
	return k
}

// root returns the node without a parent.
func (k *axIndex) root() *axNode {
	for i := range k.nodes {
		if k.nodes[i].Parent == "" {
			return &k.nodes[i]
		}
	}
	return nil
}

// children returns those of a node's children that no other node has claimed.
func (k *axIndex) children(n *axNode) []*axNode {
	out := make([]*axNode, 0, len(n.Children))
	for _, id := range n.Children {
		if i, ok := k.byID[id]; ok && !k.taken[i] {
			k.taken[i] = true
			out = append(out, &k.nodes[i])
		}
	}
	return out
}

// axNodeOf asks the accessibility tree of one element by a command of its frame.
func axNodeOf(id cdproto.BackendNodeID, ask func(method string, params, result any) error) (axNode, error) {
	var told struct {
		Nodes []axNode `json:"nodes"`
	}
	if id == 0 {
		return axNode{}, ErrNotFound
	}
	only := false
	err := ask(accessibility.CommandGetPartialAXTree, &accessibility.GetPartialAXTreeParams{BackendNodeID: id, FetchRelatives: &only}, &told)
	if err == nil && len(told.Nodes) == 0 {
		err = ErrNotFound
	}
	if err != nil {
		return axNode{}, err
	}
	return told.Nodes[0], nil
}

// CheckedByTree reports whether the accessibility tree has an element as checked; nil if it cannot be. Only that knows
// of a custom element whose own script says it, through its ElementInternals.
func CheckedByTree(d Driver, n Element) (*bool, error) {
	said, err := axNodeOf(n.ID, func(method string, params, result any) error { return d.Read(n.Frame, method, params, result) })
	checked := said.property("checked")
	if err != nil || checked == "" {
		return nil, err
	}
	is := checked == "true"
	return &is, nil
}
