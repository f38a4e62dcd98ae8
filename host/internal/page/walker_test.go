package page

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	cdppage "github.com/chromedp/cdproto/page"

	"github.com/hermes-cdp/hermes-cdp/host/internal/page/geometry"
)

// The walker and Chromium's accessibility tree make the same reading of a page.
func TestTheWalkerReadsWhatTheAccessibilityTreeHas(t *testing.T) {
	c := newChromium(t)
	files, err := filepath.Glob("testdata/alike/*.html")
	if err != nil || len(files) == 0 {
		t.Fatalf("%d pages, %v", len(files), err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".html"), func(t *testing.T) {
			html, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			c.load(string(html))
			told, walked := lines(t, c, content{tree: true, layout: true}), linesInOneBlock(t, c, content{walk: true})
			if !slices.Equal(told, walked) {
				t.Errorf("+ is only in what the walker found, - only in the accessibility tree:\n%s", difference(told, walked))
			}
		})
	}
}

// lines are the lines of a whole reading.
func lines(t *testing.T, d Reader, want content) []string {
	t.Helper()
	r, err := gather(d, 0, want)
	if err != nil {
		t.Fatal(err)
	}
	w, err := build(r).Write(View{Full: true, Budget: 1_000_000, Next: 1, Give: func(*Node) int { return 1 }})
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(w.Text, "\n")
}

// linesInOneBlock are the lines of a whole reading without the ends of blocks, which the accessibility tree does not
// have.
func linesInOneBlock(t *testing.T, d Reader, want content) []string {
	t.Helper()
	return strings.Split(strings.ReplaceAll(strings.Join(lines(t, d, want), "\n"), `" "`, " "), "\n")
}

// difference writes what the longest common sequence of two lists leaves out.
func difference(before, after []string) string {
	common := make([][]int, len(before)+1)
	for i := range common {
		common[i] = make([]int, len(after)+1)
	}
	for i := len(before) - 1; i >= 0; i-- {
		for j := len(after) - 1; j >= 0; j-- {
			common[i][j] = max(common[i+1][j], common[i][j+1])
			if before[i] == after[j] {
				common[i][j] = common[i+1][j+1] + 1
			}
		}
	}
	var out []string
	i, j := 0, 0
	for i < len(before) || j < len(after) {
		switch {
		case i < len(before) && j < len(after) && before[i] == after[j]:
			i, j = i+1, j+1
		case i < len(before) && (j == len(after) || common[i+1][j] >= common[i][j+1]):
			out = append(out, "-"+before[i])
			i++
		default:
			out = append(out, "+"+after[j])
			j++
		}
	}
	return strings.Join(out, "\n")
}

// Elements that can be acted on are listed one by one, however they are nested.
func TestWhatCanBeActedOnIsNotMergedIntoWhatIsAroundIt(t *testing.T) {
	c := newChromium(t)
	c.load(`<title>t</title><div onclick="0"><div onclick="0">A</div><div onclick="0">B</div></div><div onclick="0">C<p draggable=true>D</p></div>` +
		`<button>E<span tabindex=0>F</span></button><select aria-label=S><option>G<option>H</select>`)
	want := []string{
		"- generic @e1", `  - generic @e1: "A"`, `  - generic @e1: "B"`, "- generic @e1", `  - text: "C"`, `  - paragraph @e1: "D"`,
		`- button "EF" @e1`, `  - generic @e1: "F"`, `- combobox "S" [collapsed] @e1: "G"`, `  - option "G" [selected]`, `  - option "H"`,
	}
	if got := lines(t, c, content{walk: true}); !slices.Equal(got, want) {
		t.Errorf("the reading is\n%s", difference(want, got))
	}
}

// Cells are told by their place in the row, so none is left out before another, and one that takes several says so.
func TestCellsKeepTheirPlaceInTheRow(t *testing.T) {
	c := newChromium(t)
	c.load(`<title>t</title><table><tr><th>Name<th>Phone<th colspan=2>Mail<tr><td rowspan=2>Ann<td><td>a@x<td><tr><td>1<td colspan=1><td>b@x<tr><td><td><td><td></table>` +
		`<div role=grid><div role=row><span role=gridcell aria-colspan=2></span><span role=gridcell>x</span></div></div>`)
	want := []string{
		"- table", "  - row", `    - columnheader "Name"`, `    - columnheader "Phone"`, `    - columnheader "Mail" [colspan=2]`,
		"  - row", `    - cell "Ann" [rowspan=2]`, "    - cell", `    - cell "a@x"`, "  - row", `    - cell "1"`, "    - cell", `    - cell "b@x"`,
		"- grid", "  - row", "    - gridcell [colspan=2]", `    - gridcell "x"`,
	}
	if got := lines(t, c, content{walk: true}); !slices.Equal(got, want) {
		t.Errorf("the reading is\n%s", difference(want, got))
	}
}

// The texts of blocks that stand beside each other are quoted each by itself; what is inline flows on.
func TestTextsOfBlocksDoNotRunTogether(t *testing.T) {
	c := newChromium(t)
	c.load(`<title>t</title><div>One</div><div>Two <b>bold</b> words</div><ul><li><div>Three</div><div>Four</div></li></ul><a href="https://a.example/x"></a>`)
	want := []string{`- text: "One" "Two bold words"`, "- list", `  - listitem: "Three" "Four"`, `- link [url="https://a.example/x"] @e1`}
	if got := lines(t, c, content{walk: true}); !slices.Equal(got, want) {
		t.Errorf("the reading is\n%s", difference(want, got))
	}
}

// A document that a script cannot read is left to the accessibility tree, as are the fields of a form that hide its
// properties.
func TestTheAccessibilityTreeIsReadWhereAScriptCannot(t *testing.T) {
	c := newChromium(t)
	for _, html := range []string{
		`<title>t</title><video controls aria-label=Film></video>`, `<title>t</title><form aria-label=f><input name=nodeType aria-label=n><input name=attributes></form>`,
		`<title>t</title><form aria-owns=o><input name=checkVisibility></form><form><input name=inert><p aria-owns=o></p></form><p id=o>Owned`,
	} {
		c.load(html)
		if _, err := (&walking{driver: c, frame: c.tab, alone: func() bool { return true }}).walk(t.Context()); err == nil {
			t.Errorf("the walker read %s", html)
		}
		told, both := lines(t, c, content{tree: true, layout: true}), lines(t, c, content{walk: true, tree: true, layout: true})
		if !slices.Equal(told, both) {
			t.Errorf("the reading differs:\n%s", difference(told, both))
		}
	}
}

// What listens for any press or drop is listed, and so is what shows by its pointer that another element listens for
// it. What only listens for the one element within is not, nor what shows nothing and has no area.
func TestWhatListensIsListed(t *testing.T) {
	c := newChromium(t)
	c.load(`<title>t</title><style>.p { cursor: pointer }</style><div id=menu>Menu</div><div id=twice>Twice</div><div id=down>Down</div><div id=zone>Zone</div>` +
		`<ul><li class=p><b>Delegated</b></li></ul><div id=move>Move</div><div class=p><button>One</button></div><div class=p><button>Two</button> more</div>` +
		`<div id=portal><div style="display:none">Closed</div></div><div id=thin style="height:0"><b style="display:block;width:9px;height:9px"></b></div><script>
		const listen = (id, type) => document.getElementById(id).addEventListener(type, () => 0);
		listen("menu", "contextmenu"); listen("twice", "dblclick"); listen("down", "pointerdown"); listen("zone", "drop"); listen("move", "mousemove"); listen("portal", "click"); listen("thin", "click");
	</script>`)
	want := []string{
		`- generic @e1: "Menu"`, `- generic @e1: "Twice"`, `- generic @e1: "Down"`, `- generic @e1: "Zone"`, "- list", `  - listitem @e1: "Delegated"`,
		`- text: "Move"`, `- button "One" @e1`, "- generic @e1", `  - button "Two" @e1`, `  - text: "more"`, `- generic [hint="thin"] @e1`,
	}
	if got := lines(t, c, content{walk: true}); !slices.Equal(got, want) {
		t.Errorf("the reading is\n%s", difference(want, got))
	}
}

// What is struck out, and digits above the line, are told from what is not.
func TestTextsThatAreSetOtherwiseAreMarked(t *testing.T) {
	c := newChromium(t)
	c.load(`<title>t</title><p>Price <del>€20</del> €15, <b>was <s> $9 </s></b></p><p><del>a <s>b</s> c</del></p><p>Only $19<sup>99</sup>, 10<sup>-3</sup> m<sup>2</sup>, (a)<sup>2</sup>, 4<sup>th</sup>, note <sup>1</sup><sup>[2]</sup></p>` +
		`<h2>Now <s>€20</s> €15</h2><ul><li><del>Milk</del><li><del><button>Tea</button></del></ul>` +
		`<table><tr><th>A<th>B<th>C<tr><td><s>€3</s> €2<td>$19<sup>99</sup><td aria-label=Gone><del>gone</del></table><a href="/x">Shoes <s>€20</s> €15</a>`)
	want := []string{
		`- paragraph: "Price ~~€20~~ €15, was ~~$9~~"`, `- paragraph: "~~a~~ ~~b~~ ~~c~~"`, `- paragraph: "Only $19^99, 10^-3 m^2, (a)^2, 4th, note 1[2]"`, `- heading "Now €20 €15" [level=2]: "Now ~~€20~~ €15"`,
		"- list", `  - listitem: "~~Milk~~"`, "  - listitem", `    - button "Tea" @e1`,
		"- table", "  - row", `    - columnheader "A"`, `    - columnheader "B"`, `    - columnheader "C"`,
		"  - row", `    - cell: "~~€3~~ €2"`, `    - cell: "$19^99"`, `    - cell "Gone": "~~gone~~"`,
		`- link "Shoes €20 €15" @e1: "Shoes ~~€20~~ €15"`,
	}
	if got := lines(t, c, content{walk: true}); !slices.Equal(got, want) {
		t.Errorf("the reading is\n%s", difference(want, got))
	}
}

// A control that says nothing is known by what its author calls it, unless a program made that up.
func TestAControlThatSaysNothingHasAHint(t *testing.T) {
	c := newChromium(t)
	for html, want := range map[string]string{
		`<button><i class="fa-solid fa-trash fa-lg"></i></button>`:                                                                                                 `button [hint="fa-trash"]`,
		`<button class="btn btn-close"></button>`:                                                                                                                  `button [hint="btn-close"]`,
		`<button><svg><use href="sprite.svg#icon-edit"></use></svg></button>`:                                                                                      `button [hint="icon-edit"]`,
		`<button class="flex"><svg class="lucide lucide-settings w-4 h-4"><path d="M0 0h9"/></svg></button>`:                                                       `button [hint="lucide-settings"]`,
		`<button class="icon" data-tooltip="Bold (Ctrl+B)" id=bold></button>`:                                                                                      `button [hint="Bold (Ctrl+B)"]`,
		`<button><img src="data:," alt=""><img src="/img/play_arrow.svg?v=3" alt=""></button>`:                                                                     `button [hint="play_arrow"]`,
		`<style>.b { background: linear-gradient(red, red), url(https://a.example/close.png?v=2) }</style><button class=b></button>`:                               `button [hint="close"]`,
		`<style>.b { mask: url(https://a.example/trash.svg) } .a { background: url(https://a.example/photo.jpg) }</style><button class=a><i class=b></i></button>`: `button [hint="trash"]`,
		`<button id=submit-order class="css-1x2y3z"></button>`:                                                                                                     `button [hint="submit-order"]`,
		`<button id=":r5:" class="css-1x2y3z flex w-4"></button>`:                                                                                                  `button`,
		`<button id="user-83125"></button>`:                                                                                                                        `button`,
		`<button class="icon-close" aria-label="Close"></button>`:                                                                                                  `button "Close"`,
		`<button class="icon-close" title="Close"></button>`:                                                                                                       `button "Close"`,
		`<button><i class="icon-close"></i>Close</button>`:                                                                                                         `button "Close"`,
		`<div onclick="" id=card style="cursor: pointer"><i class="icon-card"></i><p>A card</p></div>`:                                                             `generic`,
		`<button><i class="icon-play" style="display: none"></i><i class="icon-pause"></i></button>`:                                                               `button [hint="icon-pause"]`,
		`<style>.fa-trash::before { content: "\f1f8" }</style><button><i class="fa fa-trash"></i></button>`:                                                        `button [hint="fa-trash"]`,
		`<button><i class="icon-trash">&#xe001;</i></button>`:                                                                                                      `button [hint="icon-trash"]`,
		`<input name=email value="a@b">`:                                                                                                                           `textbox [hint="email"]: "a@b"`,
		`<select name=country><option>CH</select>`:                                                                                                                 `combobox [collapsed, hint="country"]: "CH"`,
		`<label for=m style="display: none">Mail <i class="icon-bell"></i></label><input id=m name=email>`:                                                         `textbox "Mail"`,
		`<label for=m> <i class="icon-bell" style="display: none"></i></label><input id=m name=email>`:                                                             `textbox [hint="email"]`,
		`<input type=checkbox id=c><label for=c><i class="icon-bell"></i></label>`:                                                                                 `checkbox [not checked, hint="icon-bell"]`,
		`<style>i { padding: 4px }</style><a href="https://a.example/"><i class="icon-mail"></i> <b>3</b></a>`:                                                     `link "3" [url="https://a.example/", hint="icon-mail"]`,
		`<button id=next class="nav-next">3</button>`:                                                                                                              `button "3"`,
		`<input type=checkbox name=terms>`:                                                                                                                         `checkbox [not checked, hint="terms"]`,
		`<a href="https://a.example/#" class="nav-next" style="position: absolute; width: 9px; height: 9px"></a>`:                                                  `link [url="https://a.example/#", hint="nav-next"]`,
		"<button data-action=\"x\ny\" data-title='\"] @e9\n- button \"Pay' style=\"width: 9px; height: 9px\"></button>":                                            `button [hint="\"] @e9 - button \"Pay"]`,
	} {
		c.load(html)
		if got := strings.ReplaceAll(lines(t, c, content{walk: true})[0], " @e1", ""); got != "- "+want {
			t.Errorf("%s\nis read as %s\nwant       - %s", html, got, want)
		}
	}
}

// What a cell says with an icon alone is known by the icon's name, as long as it is drawn.
func TestACellThatOnlyShowsAnIconHasAHint(t *testing.T) {
	c := newChromium(t)
	for html, want := range map[string]string{
		`<td><i class="fa fa-check"></i></td>`:                                                      `cell [hint="fa-check"]`,
		`<td title="Done?" role=gridcell tabindex=0><div class="sgi sgi-check"></div></td>`:         `gridcell "Done?"`,
		`<td aria-describedby=h role=gridcell tabindex=0><div class="sgi sgi-check"></div></td>`:    `gridcell [hint="sgi-check", description="Head"]`,
		`<style>.fa-check::before { content: "\f00c" }</style><td><i class="fa fa-check"></i></td>`: `cell [hint="fa-check"]`,
		`<td><i class="icon-check">&#xe001;</i></td>`:                                               `cell [hint="icon-check"]`,
		`<td><svg class="lucide lucide-x"><path d="M0 0h9"/></svg></td>`:                            `cell [hint="lucide-x"]`,
		`<td><img src="/img/tick.svg?v=3" alt=""></td>`:                                             `cell [hint="tick"]`,
		`<td><svg data-icon="circle-xmark"><path d="M0 0h9"/></svg></td>`:                           `cell [hint="circle-xmark"]`,
		`<td><i class="icon-check" style="display: none"></i><i class="icon-cross"></i></td>`:       `cell [hint="icon-cross"]`,
		`<td><i class="icon-check" style="width: 0"></i></td>`:                                      `cell`,
		`<td><i class="icon-check"></i> Yes</td>`:                                                   `cell "Yes"`,
		`<td><i class="icon-check"></i><img src="data:," alt=Yes></td>`:                             `cell`,
		`<td id=cell data-testid=cell class="col-edit"></td>`:                                       `cell`,
		`<td><div id=box name=box></div></td>`:                                                      `cell`,
		`<td><i class="icon-check" style="display: none"></i></td>`:                                 `cell`,
		`<td><i class="icon-check" style="visibility: hidden"></i></td>`:                            `cell`,
		`<td><i class="icon-check" style="opacity: 0"></i></td>`:                                    `cell`,
		`<td><button><i class="icon-edit"></i></button></td>`:                                       `cell`,
		`<td><span role=img aria-label="Yes"><i class="icon-check"></i></span></td>`:                `cell`,
	} {
		c.load(`<style>i, svg, img, div { display: inline-block; width: 9px; height: 9px }</style><p id=h hidden>Head</p><table><tr><th>A<th>B<tr>` + html + `<td>last</table>`)
		got := ""
		for _, line := range lines(t, c, content{walk: true}) {
			if got == "" && strings.Contains(line, "cell") {
				got = strings.ReplaceAll(strings.TrimSpace(line), " @e1", "")
			}
		}
		if got != "- "+want {
			t.Errorf("%s\nis read as %s\nwant       - %s", html, got, want)
		}
	}
}

// Items with a check mark are told from those with a cross. An icon that all of them have is only their bullet.
func TestAnItemHasTheMarkThatOthersHaveNot(t *testing.T) {
	c := newChromium(t)
	c.load(`<title>t</title><style>i { display: inline-block; width: 9px; height: 9px }</style><ul><li><i class="fa fa-check"></i> Mail</li><li><span><i class="icon-xmark"></i></span><b>Phone</b></li>` +
		`<li><i class="fa fa-check" style="display:none"></i><i class="fa fa-user"></i>Visits</li><li><button><i class="fa fa-times"></i></button>Room</li></ul>` +
		`<ul><li><i class="fa fa-check"></i> One</li><li><i class="fa fa-check"></i> Two</li></ul>`)
	want := []string{
		"- list", `  - listitem [hint="fa-check"]: "Mail"`, `  - listitem [hint="icon-xmark"]: "Phone"`, `  - listitem: "Visits"`,
		"  - listitem", `    - button [hint="fa-times"] @e1`, `    - text: "Room"`, "- list", `  - listitem: "One"`, `  - listitem: "Two"`,
	}
	if got := lines(t, c, content{walk: true}); !slices.Equal(got, want) {
		t.Errorf("the reading is\n%s", difference(want, got))
	}
}

func TestAControlIsFoundByItsHint(t *testing.T) {
	c := newChromium(t)
	c.load(`<button><i class="icon-trash"></i></button><button><i class="icon-edit"></i></button><button>trash</button>`)
	tree, err := Read(c, NewRefs(), 0)
	if err != nil {
		t.Fatal(err)
	}
	if found := tree.Named("button", "icon-trash", ""); len(found) != 1 || found[0].Hint != "icon-trash" {
		t.Errorf("by its role and its hint: %v", found)
	}
	v, _ := viewOf(tree, 4000, 0)
	v.Match = &Match{Name: "trash"}
	if w, err := tree.Write(v); err != nil || w.Found != 2 {
		t.Errorf("by a part of its hint: %+v, %v", w, err)
	}
}

// An icon that changes is a change.
func TestAHintThatChangesIsAChange(t *testing.T) {
	c := newChromium(t)
	for _, tc := range []struct{ html, script, want string }{
		{`<button><i class="icon-play"></i></button>`, `document.querySelector("i").className = "icon-pause"`, `* button [hint="icon-pause"] @e1`},
		{`<style>.off i, button:not(.off) b { display: none }</style><button><i class="icon-play"></i><b class="icon-pause"></b></button>`,
			`document.querySelector("button").className = "off"`, `* button [hint="icon-pause"] @e1`},
		{`<style>.off i, html:not(.off) b { display: none }</style><button><i class="icon-play"></i><b class="icon-pause"></b></button>`,
			`document.documentElement.className = "off"`, `* button [hint="icon-pause"] @e1`},
		{`<style>.off i { opacity: 0 }</style><button><i class="icon-play"></i><b class="icon-pause"></b></button>`,
			`document.documentElement.className = "off"`, `* button [hint="icon-pause"] @e1`},
		{`<style>i { padding: 4px }</style><table><tr><th>Name<th>Stock<tr><td>Tea<td><i class="icon-check"></i></table>`, `document.querySelector("i").className = "icon-cross"`,
			"- table\n  - row\n    * cell [hint=\"icon-cross\"]"},
		{`<style>i { padding: 4px }</style><table><tr><th>Name<th>Stock<tr><td>Tea<td><i class="icon-check" style="display: none"></i></table>`, `document.querySelector("i").style.display = ""`,
			"- table\n  - row\n    + cell [hint=\"icon-check\"]"},
	} {
		c.load(tc.html)
		refs := NewRefs()
		before, err := Read(c, refs, 0)
		if err != nil {
			t.Fatal(err)
		}
		if err := c.RunWithin(t.Context(), "", nil, `() => { `+tc.script+` }`, nil, nil); err != nil {
			t.Fatal(err)
		}
		after, err := Read(c, refs, 0)
		if err != nil {
			t.Fatal(err)
		}
		v, _ := viewOf(after, 4000, 0)
		v.Change = after.Compare(before.Marks())
		if text := after.WriteChanges(v).Text; text != tc.want {
			t.Errorf("%s\nafter %s it says\n%s", tc.html, tc.script, text)
		}
	}
}

// Items and cells of what listens in one place for all of them are listed, and so is what shows by its pointer that
// it can be dragged. What is in a control, shows nothing and can only have the focus is not.
func TestWhatIsServedByWhatIsAroundItIsListed(t *testing.T) {
	c := newChromium(t)
	c.load(`<title>t</title><style>i { display: block; width: 9px; height: 9px }</style><ul id=list><li>One<li>Two</ul><ul><li>Alone</ul>` +
		`<table id=rows border=1><tr><td>A<td>B</table><div role=grid><div role=row><span role=gridcell>C</span></div></div>` +
		`<p><b style="cursor:grab">Handle</b> text</p><div style="cursor:move"><b>Title</b></div><div><i style="cursor:nwse-resize"></i></div>` +
		`<button>Press<i tabindex=-1></i></button><i tabindex=-1></i><script>
		for (const id of ["list", "rows"]) document.getElementById(id).addEventListener("pointerdown", () => 0);
	</script>`)
	want := []string{
		"- list @e1", `  - listitem @e1: "One"`, `  - listitem @e1: "Two"`, "- list", `  - listitem: "Alone"`,
		"- table @e1", "  - row", `    - cell "A" @e1`, `    - cell "B" @e1`, "- grid", "  - row", `    - gridcell "C"`,
		"- paragraph", `  - generic @e1: "Handle"`, `  - text: "text"`, `- generic @e1: "Title"`, "- generic [draggable] @e1", `- button "Press" @e1`, "- generic @e1",
	}
	if got := lines(t, c, content{walk: true}); !slices.Equal(got, want) {
		t.Errorf("the reading is\n%s", difference(want, got))
	}
}

// Options are seen as Chromium says: not with a select that is hidden, as in the calendar of a field that is closed,
// but in one that only shows them when it is opened. What listens and is hidden with all that is in it is not listed.
func TestWhatAHiddenElementHasIsNotListed(t *testing.T) {
	c := newChromium(t)
	for _, html := range []string{
		`<div style="visibility:hidden"><select><option>A<option>B</select></div>`,
		`<div style="visibility:hidden"><select size=3><option>A<option>B</select></div>`,
		`<select><option>A<option style="visibility:hidden">B</select>`,
		`<select size=3><option>A<option style="visibility:hidden">B</select>`,
		`<select style="visibility:hidden"><option>A<option style="visibility:visible">B</select>`,
		`<select size=3 style="visibility:hidden"><option>A<option style="visibility:visible">B</select>`,
		`<select><optgroup label=G style="visibility:hidden"><option>A<option>B</select>`,
		`<select size=4><optgroup label=G style="visibility:hidden"><option>A<option>B</select>`,
		`<div style="visibility:hidden;height:9px" onclick="0"><button onclick="0"><span>Press</span></button><i tabindex=-1></i><b tabindex=0>text</b></div>`,
	} {
		c.load(html)
		told, walked := lines(t, c, content{tree: true, layout: true}), lines(t, c, content{walk: true})
		if !slices.Equal(told, walked) {
			t.Errorf("%s: the reading differs:\n%s", html, difference(told, walked))
		}
	}
}

// Elements may have the names of properties of the document and of the walker itself, and hide them from scripts.
func TestADocumentWhoseElementsHideItsPropertiesIsRead(t *testing.T) {
	c := newChromium(t)
	var html strings.Builder
	html.WriteString("<title>t</title><a id=hermesWalker href=x>hermesWalker</a>")
	for _, name := range strings.Fields("querySelectorAll styleSheets adoptedStyleSheets activeElement hasFocus documentElement body contentType title createRange getElementById") {
		html.WriteString("<img alt=" + name + " name=" + name + "><form name=" + name + "></form>")
	}
	c.load(html.String())
	if _, err := (&walking{driver: c, frame: c.tab, alone: func() bool { return true }}).walk(t.Context()); err != nil {
		t.Error(err)
	}
	told, walked := lines(t, c, content{tree: true, layout: true}), lines(t, c, content{walk: true})
	if !slices.Equal(told, walked) {
		t.Errorf("the reading differs:\n%s", difference(told, walked))
	}
}

// Frames of one process may have what listens as well: a node of one must not be resolved in the world of another,
// which crashes their tab.
func TestFramesOfOneProcessAreReadEachInItsWorld(t *testing.T) {
	c := newChromium(t)
	inner := `<p onclick=0>Inner</p>`
	root := `<template shadowrootmode=closed><i onclick=0>Closed</i></template>`
	for _, page := range []struct {
		html    string
		byTree  int
		listens []string
	}{
		{`<title>t</title><p onclick=0>Outer</p><iframe srcdoc="` + inner + `"></iframe>`, 0, []string{"Outer", "Inner"}},
		{`<title>t</title><section>` + root + `</section><p onclick=0>Outer</p>`, 0, []string{"Closed", "Outer"}},
		{`<title>t</title><section>` + root + `</section><p onclick=0>Outer</p><iframe srcdoc="` + inner + `"></iframe>`, 1, []string{"Closed", "Outer", "Inner"}},
	} {
		c.load(page.html)
		for range 3 { // the crash comes a moment later
			tree, err := Read(c, NewRefs(), 0)
			if err != nil {
				t.Fatal(err)
			}
			var listens []string
			for _, n := range tree.nodes {
				if n.Acts && n.Role != "iframe" {
					listens = append(listens, n.Value)
				}
			}
			if !slices.Equal(listens, page.listens) || len(tree.told) != page.byTree {
				t.Errorf("%s: listed %q, want %q; %d frames were read from the accessibility tree, want %d", page.html, listens, page.listens, len(tree.told), page.byTree)
			}
		}
	}
}

// The walker says how large the visible part of a page is as the browser does.
func TestTheWalkerKnowsTheViewport(t *testing.T) {
	c := newChromium(t)
	c.load(`<title>t</title><meta name=viewport content="width=device-width"><div id=visualViewport style="width: 3000px; height: 3000px">x</div>`)
	for _, set := range []struct {
		name, method string
		params       map[string]any
	}{
		{"as it is", cdppage.CommandEnable, nil},
		{"a wide window", emulation.CommandSetDeviceMetricsOverride, map[string]any{"width": 1234, "height": 567, "deviceScaleFactor": 2, "mobile": false}},
		{"a phone", emulation.CommandSetDeviceMetricsOverride, map[string]any{"width": 390, "height": 844, "deviceScaleFactor": 3, "mobile": true}},
		{"enlarged by half", emulation.CommandSetPageScaleFactor, map[string]any{"pageScaleFactor": 1.5}},
	} {
		if err := c.call(set.method, set.params, nil); err != nil {
			t.Fatalf("%s: %v", set.name, err)
		}
		r, err := gather(c, 0, content{walk: true})
		if err != nil {
			t.Fatalf("%s: %v", set.name, err)
		}
		got := r.viewport
		r.viewport = geometry.Size{}
		g := gathering{driver: c, ctx: t.Context(), bounds: boundsWithin(0), raw: r}
		if g.metrics(c.tab); got != r.viewport || got.Width == 0 {
			t.Errorf("%s: the walker says %v, and the browser %v", set.name, got, r.viewport)
		}
	}
}
