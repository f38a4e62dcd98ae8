package wasmfile

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// added finds what the metering adds in a listing by wabt.
type added struct {
	imported      int
	charge, check string // patterns
	fuel, refuel  string // what the global and the function are named by
}

func newAdded(f *File) *added {
	a := &added{imported: f.importedFunctions, fuel: fmt.Sprint(f.spaces[spaceGlobal]), refuel: fmt.Sprint(f.importedFunctions)}
	a.check = "global.get " + a.fuel + ";i64.const 0;i64.lt_s;if;call " + a.refuel + ";end;"
	a.charge = "global.get " + a.fuel + `;i64.const (\d+);i64.sub;global.set ` + a.fuel + ";" + a.check
	return a
}

// named returns the instructions of a function with "charge N", "bulk" and "grow" in place of what the metering adds
// for them; the first scratch local is given.
func (a *added) named(code []listed, scratch uint32) []string {
	var all strings.Builder
	for _, l := range code {
		all.WriteString(l.text + ";")
	}
	length, result := fmt.Sprint(scratch), fmt.Sprint(scratch+1)
	replace := func(text, pattern, with string) string {
		return regexp.MustCompile(pattern).ReplaceAllString(text, with)
	}
	text := replace(all.String(), a.charge, "charge $1;")
	text = replace(text, "local.tee "+length+";global.get "+a.fuel+";local.get "+length+";i32.const 0;local.get "+length+
		`;(?:i32.const 16;i32.shr_u;memory.size 0;|table.size \d+;)i32.le_u;select;i64.extend_i32_u;i64.sub;global.set `+a.fuel+";"+
		a.check+`((?:memory|table)\.(?:init|copy|fill))`, "bulk;$1")
	text = replace(text, "local.tee "+length+`;((?:memory|table)\.grow[^;]*;)local.tee `+result+";global.get "+a.fuel+
		";local.get "+length+";i32.const 0;local.get "+result+
		";i32.const 4294967295;i32.ne;select;i64.extend_i32_u;(?:i64.const 16;i64.shl;)?i64.sub;global.set "+a.fuel+";", "grow;$1")
	return strings.Split(strings.TrimSuffix(text, ";"), ";")
}

// withoutCharges leaves out what named has put in.
func withoutCharges(code []string) []string {
	return slices.DeleteFunc(slices.Clone(code), func(text string) bool {
		return text == "bulk" || text == "grow" || strings.HasPrefix(text, "charge ")
	})
}

// moved returns the instructions of an original with the indexes that functions have in the metered module. What the
// metering adds cannot be among them: those indexes do not exist there.
func (a *added) moved(code []listed) string {
	lines := make([]string, len(code))
	for n, l := range code {
		lines[n] = l.text
		for _, op := range []string{"call ", "ref.func "} {
			if index, ok := strings.CutPrefix(l.text, op); ok {
				if i, _ := strconv.Atoi(index); i >= a.imported {
					lines[n] = op + fmt.Sprint(i+1)
				}
			}
		}
	}
	return strings.Join(lines, "\n")
}

// credit is how many instructions are paid for in advance on the worst way that leads somewhere, if any way does.
type credit struct {
	live bool
	paid int
}

func (c credit) or(other credit) credit {
	if c.live && other.live {
		return credit{true, min(c.paid, other.paid)}
	}
	if c.live {
		return c
	}
	return other
}

// block is an enclosing block in the walk of unpaid.
type block struct {
	opcode string
	before credit // where it begins
	leave  credit // at its end, by branches and the first arm of an if
}

// walk is the state of unpaid.
type walk struct {
	now  credit
	open []block
}

// unpaid walks over the code of a function, as named has it, and returns what may run without being paid for, if
// anything: an instruction with no charge before it, at the beginning of the function or in this turn of a loop, that
// is high enough; or a bulk instruction whose length is not charged. Each instruction costs at least 1. What nothing
// leads to is free, and so is a function without loops and calls, for which its callers pay.
func unpaid(code []string) string {
	w := walk{now: credit{live: true}}
	free := !slices.ContainsFunc(code, func(text string) bool { return needsCharges.MatchString(text) })
	for n, text := range code {
		name, operands, _ := strings.Cut(text, " ")
		if name == "charge" {
			w.now.paid, _ = strconv.Atoi(operands)
			w.now.paid -= costCharge
			continue
		}
		if wanted := ownCharge[name]; wanted != "" && code[max(n-1, 0)] != wanted {
			return fmt.Sprintf("the length of instruction %d is not paid", n)
		}
		if !freeInstruction[name] {
			w.now.paid--
		}
		if w.now.live && w.now.paid < 0 && !free {
			return fmt.Sprintf("instruction %d is not paid", n)
		}
		if w.step(name, operands) {
			return ""
		}
	}
	return "it has no end"
}

var (
	needsCharges    = regexp.MustCompile(`^(charge|loop|call|call_indirect|bulk|grow)\b`)
	freeInstruction = map[string]bool{"block": true, "loop": true, "else": true, "end": true, "bulk": true, "grow": true}
	ownCharge       = map[string]string{"memory.init": "bulk", "memory.copy": "bulk", "memory.fill": "bulk",
		"table.init": "bulk", "table.copy": "bulk", "table.fill": "bulk", "memory.grow": "grow", "table.grow": "grow"}
)

// step goes over an instruction, and reports the end of the function.
func (w *walk) step(name, operands string) (done bool) {
	switch name {
	case "block", "if":
		w.open = append(w.open, block{opcode: name, before: w.now})
	case "loop": // each turn begins with nothing
		w.open = append(w.open, block{opcode: name, before: w.now})
		w.now.paid = 0
	case "else":
		last := &w.open[len(w.open)-1]
		last.opcode, last.leave, w.now = name, last.leave.or(w.now), last.before
	case "end":
		if len(w.open) == 0 {
			return true
		}
		last := w.open[len(w.open)-1]
		w.open = w.open[:len(w.open)-1]
		switch {
		case last.opcode == "loop" && w.now.live: // what follows a loop is not paid in each of its turns
			w.now = last.before
		case last.opcode == "if":
			w.now = w.now.or(last.before)
		}
		w.now = w.now.or(last.leave)
	case "br", "br_if", "br_table":
		for label := range strings.FieldsSeq(operands) {
			depth, _ := strconv.Atoi(label)
			w.branch(depth)
		}
	}
	switch name {
	case "br", "br_table", "return", "unreachable":
		w.now.live = false
	}
	return false
}

func (w *walk) branch(depth int) {
	target := len(w.open) - 1 - depth
	if target < 0 || !w.now.live { // out of the function
		return
	}
	arriving := w.now
	for n := len(w.open) - 1; n > target; n-- {
		if w.open[n].opcode == "loop" {
			arriving = w.open[n].before
		}
	}
	w.open[target].leave = w.open[target].leave.or(arriving)
	if w.open[target].opcode == "loop" { // back to its header
		w.open[target].leave = credit{}
	}
}
