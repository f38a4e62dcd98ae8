package wasmfile

import (
	"fmt"
	"slices"
)

// Where a function pays for its code, and how much.
//
// Code only repeats through loops and calls, so there is a charge at each loop header and at each function entry. A
// charge pays in advance for the most expensive path from it to the next charge. There is another charge wherever such
// a path gets longer than a segment, so that a charge never differs much from what really runs: compilers produce
// functions that are one big loop over all of their code.
//
// One pass over the code finds the charges. For the current instruction it tracks which charges pay for it, and how
// much each has paid on the way here. Branches go forward, except to loop headers, where a new charge begins, so the
// payers of a label are complete when its end is reached. Code after a loop is paid for by the charges from before the
// loop, not once per iteration.

// maxSegment is the segment of metered modules. Longer segments make code faster, but charge less precisely for an
// iteration of a loop with many paths.
const maxSegment = 128

// maxPayers is how many charges may pay for the same code. If more paths meet, a new charge begins.
const maxPayers = 4

// charge is fuel to deduct before the instruction at an offset.
type charge struct {
	at   int
	cost uint32
}

// flow is how control reaches an instruction: the charges that pay for it. Without any it cannot be reached.
type flow struct {
	count  int
	payers [maxPayers]payer
}

type payer struct {
	charge int    // index
	spent  uint32 // on the most expensive path from the charge to here
}

// label is an enclosing block, loop, if or function body.
type label struct {
	opcode byte
	leave  flow // of branches to its end
	other  flow // of the missing else of an if
	before flow // of a loop: the payers when it was entered
	split  bool // too many charges would pay for the code after its end
}

// meter finds the charges of one function.
type meter struct {
	// segment is the most that one charge pays for, except for a single more expensive instruction; 0: each instruction
	// pays for itself.
	segment uint32
	small   uint32 // the maximum cost of a leaf that its callers pay for
	charges []charge
	labels  []label
	loops   []int // the labels that are loops
	now     flow
	leaf    bool // the current function has no loop, no call and no instruction of variable length
}

// begin starts a function whose code begins at an offset.
func (m *meter) begin(at int) {
	m.charges = m.charges[:0]
	m.labels = append(m.labels[:0], label{opcode: opBlock})
	m.loops = m.loops[:0]
	m.leaf = true
	m.charge(at)
}

// charge places a charge, which alone pays from here on.
func (m *meter) charge(at int) {
	m.now = flow{count: 1, payers: [maxPayers]payer{{charge: len(m.charges)}}}
	m.charges = append(m.charges, charge{at: at})
}

// end finishes the function. Small leaves are paid for by their callers.
func (m *meter) end() {
	if m.smallLeaf() {
		m.charges = m.charges[:0]
	}
}

func (m *meter) smallLeaf() bool {
	return m.leaf && len(m.charges) == 1 && m.charges[0].cost <= m.small
}

// done reports whether the end of the function was passed.
func (m *meter) done() bool { return len(m.labels) == 0 }

// step accounts for the instruction between two offsets. It returns what is wrong with the structure, if anything.
func (m *meter) step(in *instruction, cost uint32, from, to int) string {
	if len(m.labels) > maxNesting {
		return fmt.Sprintf("blocks nested more than %d deep", maxNesting)
	}
	m.pay(cost, from)
	switch in.opcode {
	case opBlock:
		m.labels = append(m.labels, label{opcode: opBlock})
	case opIf:
		m.labels = append(m.labels, label{opcode: opIf, other: m.now})
	case opLoop:
		m.leaf = false
		m.loops = append(m.loops, len(m.labels))
		m.labels = append(m.labels, label{opcode: opLoop, before: m.now})
		if m.now.count > 0 {
			m.charge(to)
		}
	case opElse:
		l := &m.labels[len(m.labels)-1]
		if l.opcode != opIf {
			return "an else that belongs to no if"
		}
		l.merge(&m.now)
		l.opcode, m.now, l.other = opElse, l.other, flow{}
	case opEnd:
		m.endLabel(to)
	case opBr:
		defer m.stop()
		return m.branch(in.index())
	case opBrIf:
		return m.branch(in.index())
	case opBrTable:
		for _, depth := range in.targets {
			if wrong := m.branch(depth); wrong != "" {
				return wrong
			}
		}
		m.stop()
	case opReturn, opUnreachable:
		m.stop()
	case opCall, opCallIndirect:
		m.leaf = false
	default:
		m.leaf = m.leaf && !in.bulk() && !in.grows()
	}
	return ""
}

// pay adds the cost of an instruction to all its payers, after a new charge if a segment gets too long.
func (m *meter) pay(cost uint32, at int) {
	if cost == 0 {
		return
	}
	spent := uint32(0)
	for _, p := range m.now.payers[:m.now.count] {
		spent = max(spent, p.spent)
	}
	alone := m.segment == 0 && m.now.count > 0
	if alone || spent > 0 && spent+cost > m.segment {
		m.charge(at)
	}
	for n := range m.now.count {
		p := &m.now.payers[n]
		p.spent += cost
		c := &m.charges[p.charge]
		c.cost = max(c.cost, p.spent)
	}
}

// stop records that control does not reach the next instruction.
func (m *meter) stop() { m.now.count = 0 }

// branch takes the current flow to a label, counted from the innermost.
func (m *meter) branch(depth uint32) string {
	if uint64(depth) >= uint64(len(m.labels)) {
		return "a branch to a label that does not exist"
	}
	if m.now.count == 0 {
		return ""
	}
	target := len(m.labels) - 1 - int(depth)
	arriving := &m.now
	if outermost, _ := slices.BinarySearch(m.loops, target+1); outermost < len(m.loops) { // a loop that is left
		arriving = &m.labels[m.loops[outermost]].before
	}
	if l := &m.labels[target]; l.opcode != opLoop { // a loop header has a charge of its own
		l.merge(arriving)
	}
	return ""
}

// endLabel leaves the innermost label. Its end can be reached by falling through, by a branch, or past a missing else.
func (m *meter) endLabel(at int) {
	l := &m.labels[len(m.labels)-1]
	if l.opcode == opLoop {
		m.loops = m.loops[:len(m.loops)-1]
		if m.now.count > 0 {
			m.now = l.before
		}
	}
	l.merge(&m.now)
	l.merge(&l.other)
	m.now = l.leave
	split := l.split
	m.labels = m.labels[:len(m.labels)-1]
	if split && !m.done() {
		m.charge(at)
	}
}

// merge adds a flow to those that reach the end of the label.
func (l *label) merge(from *flow) {
	for _, p := range from.payers[:from.count] {
		if !l.leave.add(p) {
			l.split = true
		}
	}
}

// add makes a charge pay for the following code. It reports false if there are too many.
func (f *flow) add(p payer) bool {
	for n := range f.count {
		if q := &f.payers[n]; q.charge == p.charge {
			q.spent = max(q.spent, p.spent)
			return true
		}
	}
	if f.count == maxPayers {
		return false
	}
	f.payers[f.count] = p
	f.count++
	return true
}
