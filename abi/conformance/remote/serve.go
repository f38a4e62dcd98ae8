package remote

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/hermes-cdp/hermes-cdp/abi/conformance"
	"github.com/hermes-cdp/hermes-cdp/abi/fakehost"
)

// Serve answers the requests of in for a host until in ends. The error is that of reading or writing, or a request that
// cannot be read.
func Serve(ctx context.Context, host conformance.Host, in io.Reader, out io.Writer) error {
	s := server{host: host, plugins: map[int]conformance.Plugin{}}
	defer s.close()
	requests, responses := json.NewDecoder(in), json.NewEncoder(out)
	for {
		var r Request
		switch err := requests.Decode(&r); {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		}
		if err := responses.Encode(s.answer(ctx, r)); err != nil {
			return err
		}
	}
}

// server has the plugins of a host by their numbers.
type server struct {
	host    conformance.Host
	plugins map[int]conformance.Plugin
}

func (s *server) close() {
	for _, p := range s.plugins {
		_ = p.Close()
	}
}

func (s *server) answer(ctx context.Context, r Request) Response {
	switch {
	case r.Load != nil:
		return s.load(ctx, *r.Load)
	case r.Call != nil:
		return s.call(ctx, *r.Call)
	case r.Close != nil:
		p := s.plugins[r.Close.Plugin]
		delete(s.plugins, r.Close.Plugin)
		if p == nil {
			return unknown(r.Close.Plugin)
		}
		return failed(p.Close())
	}
	return failed(errors.New("the request is none of load, call and close"))
}

func (s *server) load(ctx context.Context, r Load) Response {
	var config []byte
	if r.Config != nil {
		config = append([]byte{}, *r.Config...) // not nil
	}
	p, err := s.host.Load(ctx, r.Wasm, config)
	var refusal *conformance.RefusalError
	switch {
	case errors.As(err, &refusal):
		return Response{Error: refusal.Reason, Init: true}
	case err != nil:
		return failed(err)
	}
	s.plugins[r.Plugin] = p
	return Response{Hooks: p.Hooks()}
}

func (s *server) call(ctx context.Context, r Call) Response {
	p := s.plugins[r.Plugin]
	if p == nil {
		return unknown(r.Plugin)
	}
	in := &fakehost.Environment{Capabilities: r.Capabilities, KV: r.KV, State: r.State}
	got, err := p.Call(ctx, in, r.Hook, r.Event)
	out := failed(err)
	out.Status, out.Verdict, out.Reason, out.KV = got.Status, got.Verdict, got.Reason, in.KV
	return out
}

func unknown(plugin int) Response { return failed(fmt.Errorf("there is no plugin %d", plugin)) }

// failed has the text of an error; nil: none.
func failed(err error) Response {
	if err == nil {
		return Response{}
	}
	return Response{Error: err.Error()}
}
