package wasmfile

// The static cost of code, in units of fuel. A unit is about the time of one cheap instruction. More expensive ones are
// weighted so that no sequence of instructions takes much longer per unit than another. The sums are deliberately upper
// bounds.
const (
	costDivision = 8   // integer division, and division and square root of floats
	costMemory   = 2   // a load or store, which can miss every cache
	costCall     = 4   // of a function of the module
	costHostCall = 100 // of an import; the host charges extra for what it copies
	costBulk     = 32  // of a bulk instruction, in addition to its length
	costGrow     = 400 // of growing a memory or table, in addition to the growth
	costCharge   = 10  // of a charge itself

	// costLeaf is the most that a caller pays for a function without loops and calls, which needs no charge of its own.
	// An indirect call always pays that much, because it may call such a function.
	costLeaf = 32
)

// pageShift converts pages to bytes. A bulk instruction costs one unit per byte of memory or element of a table.
const pageShift = 16

// cost returns the static cost of an instruction.
func (w *rewriter) cost(in *instruction) uint32 {
	switch op := in.opcode; {
	case op == opBlock, op == opLoop, op == opElse, op == opEnd:
		return 0
	case op == opCall:
		return w.callCost(in.index())
	case op == opCallIndirect:
		return costCall + costLeaf
	case op >= 0x28 && op <= 0x3e:
		return costMemory
	case op >= 0x6d && op <= 0x70, op >= 0x7f && op <= 0x82, op == 0x91, op == 0x95, op == 0x9f, op == 0xa3:
		return costDivision
	case op == opMemoryGrow:
		return costGrow
	case op == opPrefixMisc:
		return miscCost(in)
	}
	return 1
}

func (w *rewriter) callCost(function uint32) uint32 {
	imported := uint32(w.file.importedFunctions)
	switch {
	case function < imported:
		return costHostCall
	case uint64(function-imported) < uint64(len(w.leaves)):
		return costCall + w.leaves[function-imported]
	}
	return costCall // the function does not exist: the engine refuses the module
}

func miscCost(in *instruction) uint32 {
	switch {
	case in.sub == miscTableGrow:
		return costGrow
	case in.bulk():
		return costBulk
	}
	return 1
}
