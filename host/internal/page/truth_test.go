package page

import (
	"fmt"
	"slices"
	"strings"

	"github.com/chromedp/cdproto/accessibility"
	cdproto "github.com/chromedp/cdproto/cdp"
)

// said is what the accessibility tree says of a node. It is decoded and translated apart from what readings use, so
// that a fault there is not repeated here.
type said struct {
	node      cdproto.BackendNodeID
	role      string // as Chromium calls it
	name      string
	value     string
	url       string
	described string
	ignored   bool
	focusable bool
	editable  bool
	states    []string
	parent    *said
	children  []*said
	strange   []string // properties that neither states nor quiet knows
}

// saidRoles are the roles whose names are not those of ARIA in lower case.
var saidRoles = map[string]string{
	"StaticText": "text", "RootWebArea": "document", "Iframe": "iframe", "IframePresentational": "iframe", "img": "image", "SvgRoot": "image",
	"DisclosureTriangle": "button", "DisclosureTriangleGrouped": "button", "PopUpButton": "combobox", "ComboBoxSelect": "combobox",
	"InputTime": "timebox", "Date": "datebox", "DateTime": "datebox", "ColorWell": "colorbox", "Details": "group", "LabelText": "label",
	"EmbeddedObject": "object", "PluginObject": "object", "": "generic",
}

// quiet are the properties that readings leave out: an agent learns them by acting, or the role says them.
var quiet = strings.Fields("focusable editable settable multiline hasPopup multiselectable orientation valuemin valuemax valuetext autocomplete " +
	"live atomic relevant root labelledby describedby controls owns details errormessage flowto activedescendant roledescription keyshortcuts " +
	"hidden hiddenRoot url busyroot actions")

// states are the states of a property, as readings write them.
func (s *said) add(name, value string) {
	role := s.wantsRole()
	switch {
	case (name == "checked" || name == "pressed") && value == "mixed":
		s.states = append(s.states, name+"=mixed")
	case (name == "checked" || name == "pressed") && value == "false":
		if slices.Contains([]string{"checkbox", "radio", "switch", "togglebutton"}, role) {
			s.states = append(s.states, "not "+name)
		}
	case name == "expanded" && value == "false":
		s.states = append(s.states, "collapsed")
	case name == "level":
		if role == "heading" || role == "treeitem" {
			s.states = append(s.states, "level="+value)
		}
	case name == "invalid":
		if value != "false" && value != "" {
			s.states = append(s.states, name)
		}
	case slices.Contains(strings.Fields("checked pressed expanded disabled focused selected required readonly modal busy"), name):
		if value == "true" || name == "busy" && value == "1" {
			s.states = append(s.states, name)
		}
	case !slices.Contains(quiet, name):
		s.strange = append(s.strange, name)
	}
}

func (s *said) wantsRole() string {
	if role, ok := saidRoles[s.role]; ok {
		return role
	}
	return strings.ToLower(s.role)
}

// saidNode is how the accessibility tree writes a node.
type saidNode struct {
	ID          string                `json:"nodeId"`
	Parent      string                `json:"parentId"`
	Children    []string              `json:"childIds"`
	Node        cdproto.BackendNodeID `json:"backendDOMNodeId"`
	Ignored     bool                  `json:"ignored"`
	Role        saidValue             `json:"role"`
	Name        saidValue             `json:"name"`
	Value       saidValue             `json:"value"`
	Description saidValue             `json:"description"`
	Properties  []struct {
		Name  string    `json:"name"`
		Value saidValue `json:"value"`
	} `json:"properties"`
}

type saidValue struct {
	Value any `json:"value"`
}

// hear asks for the accessibility tree of a frame; the root has the rest below it.
func hear(c *corpusTab, frame cdproto.FrameID) (*said, string, error) {
	var reply struct {
		Nodes []saidNode `json:"nodes"`
	}
	if err := c.ReadWithin(c.ctx, frame, accessibility.CommandGetFullAXTree, map[string]any{"frameId": frame}, &reply); err != nil {
		return nil, "", err
	}
	text := func(v any) string {
		if v == nil {
			return ""
		}
		return fmt.Sprint(v)
	}
	byID := map[string]*said{}
	var root *said
	for _, n := range reply.Nodes {
		s := &said{node: n.Node, role: text(n.Role.Value), name: text(n.Name.Value), value: text(n.Value.Value), described: text(n.Description.Value), ignored: n.Ignored}
		byID[n.ID] = s
		for _, p := range n.Properties {
			s.focusable = s.focusable || p.Name == "focusable" && p.Value.Value == true
			if p.Name == "url" && s.role == "link" {
				s.url = text(p.Value.Value)
			}
			s.editable = s.editable || p.Name == "editable"
			s.add(p.Name, text(p.Value.Value))
		}
		if silent := "generic paragraph heading listitem cell gridcell group region article blockquote code"; s.editable && s.focusable && slices.Contains(strings.Fields(silent), s.wantsRole()) {
			s.states = append(s.states, "editable")
		}
		slices.Sort(s.states)
		if n.Parent == "" && root == nil {
			root = s
		}
	}
	for _, n := range reply.Nodes {
		for _, id := range n.Children {
			if child := byID[id]; child != nil && child.parent == nil && child != root {
				child.parent = byID[n.ID]
				child.parent.children = append(child.parent.children, child)
			}
		}
	}
	if root == nil {
		return nil, "", fmt.Errorf("the accessibility tree of frame %s has no root", frame)
	}
	return root, fmt.Sprintf("%+v", reply.Nodes), nil
}

// odds is a difference between a reading and the accessibility tree.
type odds struct {
	page, role, field string
	node              cdproto.BackendNodeID
	told, read        string
}

func (o odds) String() string {
	return fmt.Sprintf("%s: %s %d: %s: the accessibility tree has %q, the reading %q", o.page, o.role, o.node, o.field, o.told, o.read)
}

// comparison compares the reading of one frame.
type comparison struct {
	page   string
	listed map[cdproto.BackendNodeID]*Node
	texts  map[cdproto.BackendNodeID]*Node
	frames string  // all that the frames of the page say
	owners []*Node // the elements that show frames
	found  []odds
	used   map[string]int // the rules that have explained something
}

// compare compares the nodes that a reading lists of a frame with what the accessibility tree says. identify is the
// backend node id of a node that was read.
func (c *comparison) compare(nodes []*Node, root *said, identify func(*Node) cdproto.BackendNodeID) []odds {
	c.listed, c.texts = map[cdproto.BackendNodeID]*Node{}, map[cdproto.BackendNodeID]*Node{}
	for _, n := range nodes {
		at := c.listed
		if n.Role == "text" {
			at = c.texts
		}
		if id := identify(n); at[id] != nil && n.Role != "text" {
			c.odd(&said{node: id, role: n.Role}, "listed", "once", "twice")
		} else {
			at[id] = n
		}
	}
	met := map[cdproto.BackendNodeID]bool{}
	c.visit(root, met)
	all := squash(root.content())
	for id, n := range c.listed {
		switch {
		case met[id]:
		case n.Acts && n.Role == "generic":
			c.used["listens"]++
		case n.Acts && n.Role == "canvas":
			c.used["canvas"]++
		default:
			c.odd(&said{node: id, role: n.Role}, "listed", "no such node", n.Role)
		}
	}
	for id, n := range c.texts {
		if !strings.Contains(all, squash(n.Name)) {
			c.odd(&said{node: id, role: "text"}, "text", "no such text", n.Name)
		}
	}
	return c.found
}

func (c *comparison) odd(s *said, field, told, read string) {
	c.found = append(c.found, odds{c.page, s.wantsRole(), field, s.node, told, read})
}

func (c *comparison) visit(s *said, met map[cdproto.BackendNodeID]bool) {
	n := c.listed[s.node]
	switch {
	case s.parent == nil:
	case n != nil && s.wantsRole() != "text" && !met[s.node]:
		met[s.node] = true
		c.fields(s, n)
	case s.wantsRole() == "text":
		c.text(s)
	default:
		c.missing(s)
	}
	for _, p := range s.strange {
		c.odd(s, "property", p, "")
	}
	for _, child := range s.children {
		c.visit(child, met)
	}
}

// fields compares a node that is listed.
func (c *comparison) fields(s *said, n *Node) {
	role := s.wantsRole()
	if s.ignored {
		c.rule("listens", s, "role", "", n.Role, n.Role == "generic" && n.Acts)
		return
	}
	if role == "label" && n.Role != role {
		c.rule("unseen control", s, "role", role, n.Role, n.Acts && strings.Contains(" checkbox radio switch button ", " "+n.Role+" "))
		return
	}
	if n.Role != role {
		c.odd(s, "role", role, n.Role)
	}
	if collapseSpace(n.Name) != collapseSpace(s.name) {
		// What is in the children is not said twice.
		content := strings.Contains(squash(n.content()), squash(s.name))
		c.rule("content names", s, "name", s.name, n.Name, n.Name == "" && content && strings.Contains(" cell gridcell row listitem columnheader rowheader label ", " "+role+" "))
	}
	if collapseSpace(n.Value) != collapseSpace(s.value) {
		switch {
		case s.value == s.name && n.Value == "":
			c.rule("value is name", s, "value", s.value, n.Value, true)
		case role == "iframe":
			c.rule("frame of text", s, "value", s.value, n.Value, strings.Contains(c.frames, squash(n.Value)))
		case role == "spinbutton" || role == "slider":
			c.rule("number in a field", s, "value", s.value, n.Value, squash(n.Value) == squash(s.content()))
		case s.value == "":
			c.rule("text is value", s, "value", s.value, n.Value, squash(n.Value) == squash(s.content()))
		default:
			c.odd(s, "value", s.value, n.Value)
		}
	}
	got := slices.DeleteFunc(slices.Clone(n.States), func(state string) bool {
		if state == "draggable" && n.handle {
			c.used["handle"]++
			return true
		}
		return slices.ContainsFunc([]string{"origin=", "sort=", "colspan=", "rowspan="}, func(ours string) bool { return strings.HasPrefix(state, ours) })
	})
	slices.Sort(got)
	if !slices.Equal(got, s.states) {
		c.odd(s, "states", strings.Join(s.states, " "), strings.Join(got, " "))
	}
	if described := collapseSpace(s.described); (n.Acts || describedRoles[role]) && described != collapseSpace(n.Description) {
		c.rule("name describes", s, "description", s.described, n.Description, n.Description == "" && described == collapseSpace(s.name))
	}
	if n.URL != s.url {
		c.odd(s, "url", s.url, n.URL)
	}
	if focused := slices.Contains(s.states, "focused"); focused != n.Focused {
		c.odd(s, "focused", fmt.Sprint(focused), fmt.Sprint(n.Focused))
	}
	if s.focusable && !n.Acts && role != "iframe" {
		// The list itself is operated, not the options of a list that is closed.
		c.rule("closed list", s, "acts", "focusable", "", role == "option" && s.above("combobox"))
	}
}

// text checks that a text is said: by what is listed around it, or by a name above it.
func (c *comparison) text(s *said) {
	if s.ignored || strings.TrimSpace(s.name) == "" {
		return
	}
	want := squash(s.name)
	for at := s.parent; at != nil; at = at.parent {
		n := c.listed[at.node]
		if n == nil {
			continue
		}
		if strings.Contains(squash(n.content()), want) || strings.Contains(squash(n.Name), want) || strings.Contains(squash(n.Value), want) {
			return
		}
		if holdText[n.Role] { // what a field holds is its value, and a placeholder is its name or not said
			c.rule("field holds", s, "text", s.name, n.Value, true)
			return
		}
	}
	for _, n := range c.texts {
		if strings.Contains(squash(n.Name), want) {
			return
		}
	}
	for _, n := range c.listed { // beside its control
		if n.Acts && strings.Contains(squash(n.Name), want) {
			c.rule("label", s, "text", s.name, n.Name, true)
			return
		}
	}
	said := slices.ContainsFunc(c.owners, func(n *Node) bool { return strings.Contains(squash(n.Value), want) })
	c.rule("frame of text", s, "text", s.name, "", said)
}

// rules are what readings leave out on purpose.
var rules = map[string]string{
	"listens":           "assistive technology ignores it, but it listens for clicks",
	"content names":     "rows, cells and items have their content as their name, which is below them",
	"value is name":     "a field whose name is its value says it once",
	"number in a field": "a field has the text that is in it, not the number that it is said to have",
	"text is value":     "the only text in an element is written as its value",
	"frame of text":     "the only text in a frame is written as the value of the element that shows it",
	"closed list":       "a closed list is operated, not its options",
	"field holds":       "what is drawn in a field is its value",
	"name describes":    "a description that is the name is not said twice",
	"label":             "the text of a label is the name of its control",
	"unseen control":    "nobody sees the control of a label, which is all that there is of it",
	"ignored":           "assistive technology ignores it",
	"canvas":            "assistive technology ignores a canvas without a name, but it can be operated",
	"drawing":           "a part of a drawn text",
	"handle":            "assistive technology is not told what its pointer says can be dragged",
	"part of a time":    "a date or a time is filled in as a whole",
	"wrapper":           "an element without meaning and name, whose children take its place",
	"phrase":            "an emphasis, or the like, of a text",
	"nothing inside":    "an element without name, value and content",
	"hidden frame":      "the element that shows the frame is ignored",
}

// rule notes that a rule explains a difference, if it does.
func (c *comparison) rule(name string, s *said, field, told, read string, holds bool) {
	if !holds {
		c.odd(s, field, told, read)
		return
	}
	c.used[name]++
}

// missing checks that there is a reason for which a node is not listed.
func (c *comparison) missing(s *said) {
	role := s.wantsRole()
	has := func(list string) bool { return slices.Contains(strings.Fields(list), role) }
	acts := s.focusable && role != "iframe"
	switch {
	case s.above("datebox") || s.above("timebox"):
		c.used["part of a time"]++
	case has("inlinetextbox linebreak listmarker"):
		c.used["drawing"]++
	case s.above("listmarker"):
		c.used["drawing"]++
	case s.ignored:
		c.used["ignored"]++
	case !acts && s.inField(c.listed):
		c.used["field holds"]++
	case !acts && has("layouttablecell"), !acts && s.name == "" && has("generic none presentation menulistpopup section div rubyannotation ruby group layouttable layouttablerow layouttablecell rowgroup"):
		c.used["wrapper"]++
	case !acts && has("emphasis strong code mark insertion deletion superscript subscript time label abbr legend figcaption pre caption sectionheader sectionfooter"):
		c.used["phrase"]++
	case !acts && isBlank(s.name) && s.value == "" && !worthAlone[role] && !actionableRoles[role] && !c.holds(s):
		c.used["nothing inside"]++
	default:
		c.odd(s, "listed", s.name, "")
	}
}

// holds reports whether something below a node is listed.
func (c *comparison) holds(s *said) bool {
	return slices.ContainsFunc(s.children, func(child *said) bool {
		return c.listed[child.node] != nil || c.texts[child.node] != nil || c.holds(child)
	})
}

func (s *said) above(role string) bool {
	for at := s.parent; at != nil; at = at.parent {
		if at.wantsRole() == role {
			return true
		}
	}
	return false
}

func (s *said) inField(listed map[cdproto.BackendNodeID]*Node) bool {
	for at := s.parent; at != nil; at = at.parent {
		if n := listed[at.node]; n != nil && holdText[n.Role] {
			return true
		}
	}
	return false
}

// content is the names and texts of all that is below a node.
func (s *said) content() string {
	if s.wantsRole() == "inlinetextbox" || s.ignored && len(s.children) == 0 {
		return ""
	}
	if s.wantsRole() == "text" {
		return s.name
	}
	var b strings.Builder
	for _, child := range s.children {
		b.WriteString(child.content())
	}
	return b.String()
}

// content is all that a reading says below a node, and its value.
func (n *Node) content() string {
	var b strings.Builder
	b.WriteString(n.Value)
	for _, child := range n.Children {
		b.WriteString(child.Name + child.content())
	}
	return b.String()
}

// squash leaves out all space, and the marks that only readings have.
func squash(s string) string { return strings.Join(strings.Fields(Unmarked(s)), "") }
