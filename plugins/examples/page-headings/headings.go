package main

import (
	"strings"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/sdk/json"
	"github.com/hermes-cdp/hermes-cdp/sdk/tool"
)

// maxOutline bounds the text, in bytes: a result must fit, whatever the headings are.
const maxOutline = 32 << 10

// outline is the outline of a page.
type outline struct {
	text   strings.Builder
	shown  int64
	levels [7]float64 // how many headings of each level are shown
}

func pageHeadings(c tool.Call) tool.Result {
	page, err := json.Parse(c.Page)
	if err != nil {
		return tool.Fail("what the page script returned cannot be read: " + err.Error())
	}
	headings, ok := page.Struct.GetList("headings")
	total, counted := page.Struct.GetInt("total")
	if !ok || !counted {
		return tool.Fail("the page script did not return headings and their total")
	}
	if total == 0 {
		return tool.Text("The page has no headings.").With(counts(&outline{}, 0))
	}
	var o outline
	for i := range headings {
		if !o.add(headings[i].Struct) {
			break
		}
	}
	if o.shown < total {
		o.text.WriteString("(" + tool.Decimal(o.shown) + " of " + tool.Decimal(total) + " headings)\n")
	}
	return tool.Text(strings.TrimSuffix(o.text.String(), "\n")).With(counts(&o, total))
}

// add writes the line of a heading, and reports whether there was room for it. It skips what is not a heading.
func (o *outline) add(heading abi.Struct) bool {
	level, ok := heading.GetInt("level")
	text, isText := heading.GetString("text")
	if !ok || level < 1 || level > 6 || !isText {
		return true
	}
	if o.text.Len()+len(text)+8 > maxOutline {
		return false
	}
	o.text.WriteString("######"[:level] + " ")
	for i, word := range strings.Fields(text) { // a heading is one line, so that it cannot pretend to be two
		if i > 0 {
			o.text.WriteByte(' ')
		}
		o.text.WriteString(word)
	}
	o.text.WriteByte('\n')
	o.shown++
	o.levels[level]++
	return true
}

// counts is for programs: how many headings the page has, how many of them the text has, and of which levels.
func counts(o *outline, total int64) abi.Struct {
	levels := abi.Struct{}
	for level := 1; level <= 6; level++ {
		if n := o.levels[level]; n > 0 {
			levels = append(levels, abi.Field{Key: "h" + tool.Decimal(int64(level)), Value: abi.NumberValue(n)})
		}
	}
	return abi.Struct{
		{Key: "levels", Value: abi.StructValue(levels)},
		{Key: "shown", Value: abi.NumberValue(float64(o.shown))},
		{Key: "total", Value: abi.NumberValue(float64(total))},
	}
}
