package plugin

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin/guestio"
	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin/wasmfile"
)

// Grant is a function of the embedder that a module may import, with what one hook call may do with it. It has no code:
// the environment of a call answers, so that a replay needs no embedder.
type Grant struct {
	Name         string `json:"name"`                    // in [abi.EmbedderModule], with its version
	RequestBytes int    `json:"request_bytes,omitempty"` // default [abi.DefaultFunctionRequestBytes]
	Calls        int    `json:"calls,omitempty"`         // in one hook call; default [abi.DefaultFunctionCalls]
	Fuel         int64  `json:"fuel,omitempty"`          // that a call costs beside what it exchanges
}

func (g Grant) withDefaults() Grant {
	g.RequestBytes = cmp.Or(g.RequestBytes, abi.DefaultFunctionRequestBytes)
	g.Calls = cmp.Or(g.Calls, abi.DefaultFunctionCalls)
	return g
}

// embedderSignature is that of every function of an embedder: request, its length, buffer, its limit.
var embedderSignature = signature(4, wasmfile.I32)

// FunctionsOf lists the functions of an embedder that a module imports, sorted.
func FunctionsOf(f *wasmfile.File) []string {
	var names []string
	for _, i := range f.Imports {
		if i.Module == abi.EmbedderModule && !slices.Contains(names, i.Name) {
			names = append(names, i.Name)
		}
	}
	slices.Sort(names)
	return names
}

func namesOf(grants []Grant) []string {
	names := make([]string, len(grants))
	for i := range grants {
		names[i] = grants[i].Name
	}
	return names
}

// grantedText lists the functions that are granted, for people.
func grantedText(grants []Grant) string {
	if len(grants) == 0 {
		return "none is"
	}
	return "granted: " + strings.Join(namesOf(grants), ", ")
}

// instantiateEmbedder provides the granted functions to the guests of a runtime.
func instantiateEmbedder(ctx context.Context, r wazero.Runtime, grants []Grant) error {
	if len(grants) == 0 {
		return nil
	}
	builder := r.NewHostModuleBuilder(abi.EmbedderModule)
	for n, g := range grants {
		g = g.withDefaults()
		builder.NewFunctionBuilder().
			WithGoModuleFunction(api.GoModuleFunc(func(ctx context.Context, _ api.Module, stack []uint64) {
				callingInstance(ctx).callEmbedder(n, &g, stack)
			}), embedderSignature.Params, embedderSignature.Results).
			Export(g.Name)
	}
	_, err := builder.Instantiate(ctx)
	return err
}

// callEmbedder is a function of the embedder (request, request_len, buf, limit): the length of the answer, which is
// copied if it fits, and kept for answer_read. Like the questions to the environment, it checks what depends only on
// the guest before it asks: see exchange.go for the order.
func (i *instance) callEmbedder(index int, g *Grant, stack []uint64) {
	i.heard, i.hasHeard = nil, false
	request, c := i.request(index, g, uint32(stack[0]), uint32(stack[1]))
	if c != 0 {
		stack[0] = code(c)
		return
	}
	answer, c := i.askEmbedder(g.Name, request)
	i.answered()
	if c = guestio.KnownOfEmbedder(c); c == 0 && !i.take(len(answer)) {
		c = abi.CodeTooLarge
	}
	if c == 0 || c == abi.CodeFailed {
		i.heard, i.hasHeard = answer, true
	}
	if c != 0 {
		stack[0] = code(c)
		return
	}
	stack[0] = i.copyOut(answer, uint32(stack[2]), uint32(stack[3]))
}

// request reads what the guest asks an embedder's function, and charges it. A code other than 0 is the answer.
func (i *instance) request(index int, g *Grant, ptr, size uint32) ([]byte, abi.Code) {
	if !i.inHook {
		return nil, abi.CodeDenied
	}
	if int64(size) > int64(g.RequestBytes) {
		return nil, abi.CodeTooLarge
	}
	request, ok := i.memory.Read(ptr, size)
	if !ok {
		return nil, abi.CodeBadMemory
	}
	if i.asked[index]++; i.asked[index] > g.Calls {
		return nil, abi.CodeTooLarge
	}
	i.allowance.charge(g.Fuel)
	return request, i.question(len(g.Name) + len(request))
}

// askEmbedder asks the environment, within what is left of the time of the call.
func (i *instance) askEmbedder(name string, request []byte) ([]byte, abi.Code) {
	ctx, cancel := context.WithDeadline(i.allowance.parent, i.allowance.deadline)
	defer cancel()
	return i.environment.CallEmbedder(ctx, name, request)
}

// answerRead is answer_read(buf, limit): the length of the latest answer of an embedder's function in this hook call,
// or of the reason why it failed, which is copied if it fits.
func (i *instance) answerRead(stack []uint64) {
	if !i.inHook || !i.hasHeard {
		stack[0] = code(abi.CodeNotFound)
		return
	}
	stack[0] = i.copyOut(i.heard, uint32(stack[0]), uint32(stack[1]))
}
