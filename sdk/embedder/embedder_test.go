//go:build !(tinygo.wasm || wasip1)

package embedder_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"unsafe"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/abi/fakehost"
	"github.com/hermes-cdp/hermes-cdp/sdk/embedder"
	"github.com/hermes-cdp/hermes-cdp/sdk/internal/guest"
)

// program answers a function by the number of its call.
type program struct {
	fakehost.Environment
	answers []string
	code    abi.Code
}

func (p *program) CallEmbedder(_ context.Context, function string, request []byte) ([]byte, abi.Code) {
	if function != "lookup_v1" || string(request) != "a request" {
		return nil, abi.CodeInternal
	}
	answer := p.answers[0]
	p.answers = p.answers[1:]
	return []byte(answer), p.code
}

func lookup(request string, buf unsafe.Pointer, limit uint32) int32 {
	return embedder.Native("lookup_v1", request, buf, limit)
}

func TestAnAnswerOfAnySizeTakesOneCall(t *testing.T) {
	long := strings.Repeat("long ", 1000)
	guest.RunNative(&guest.Host{Environment: &program{answers: []string{"short", long, ""}}}, func() {
		first, err := embedder.Call(lookup, "a request")
		if string(first) != "short" || err != nil {
			t.Errorf("the answer is %q, %v", first, err)
		}
		if answer, err := embedder.Call(lookup, "a request"); string(answer) != long || err != nil {
			t.Errorf("the answer has %d bytes, %v", len(answer), err)
		}
		if answer, err := embedder.Call(lookup, "a request"); len(answer) != 0 || err != nil {
			t.Errorf("the answer is %q, %v", answer, err)
		}
		if string(first) != "short" {
			t.Errorf("the first answer became %q", first)
		}
	})
}

func TestCodesAreErrors(t *testing.T) {
	for code, want := range map[abi.Code]error{
		abi.CodeNotFound:    embedder.ErrNotFound,
		abi.CodeDenied:      embedder.ErrDenied,
		abi.CodeTooLarge:    embedder.ErrTooLarge,
		abi.CodeUnsupported: embedder.ErrUnsupported,
		abi.CodeInternal:    embedder.ErrInternal,
		abi.CodeBadMemory:   embedder.ErrInternal,
	} {
		guest.RunNative(&guest.Host{Environment: &program{answers: []string{"x"}, code: code}}, func() {
			if answer, err := embedder.Call(lookup, "a request"); !errors.Is(err, want) || answer != nil {
				t.Errorf("%s: %q, %v, want %v", code, answer, err, want)
			}
		})
	}
	long := strings.Repeat("a reason ", 1000)
	for _, reason := range []string{"closed", "", long} {
		guest.RunNative(&guest.Host{Environment: &program{answers: []string{reason}, code: abi.CodeFailed}}, func() {
			var failed *embedder.FailedError
			if _, err := embedder.Call(lookup, "a request"); !errors.As(err, &failed) || failed.Reason != reason {
				t.Errorf("the error is %.50v", err)
			}
		})
	}
	guest.RunNative(&guest.Host{}, func() {
		if _, err := embedder.Call(lookup, "a request"); !errors.Is(err, embedder.ErrUnsupported) {
			t.Errorf("without a program: %v", err)
		}
	})
}
