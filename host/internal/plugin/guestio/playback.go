package guestio

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/hermes-cdp/hermes-cdp/abi"
)

// Playback is an environment that answers one call from a recording, in order. If a guest skips requests, it gets the
// answer of the next recorded one that matches. For what was not recorded at all, reads and deletions answer NOT_FOUND,
// lists are empty, writes succeed without effect, and functions of an embedder, which is never called, answer
// UNSUPPORTED. So every guest gets the same answers each time;
// [Playback.Deviation] reports whether they were those of the recording.
//
// A read that is repeated immediately is the same request. A guest asks twice if its buffer is too small for the
// answer, which depends on what its instance has served before.
type Playback struct {
	recorded []Exchange
	next     int
	last     *Exchange // the last one that was answered
	first    *DeviationError
}

// NewPlayback answers from the exchanges, which it does not modify.
func NewPlayback(recorded []Exchange) *Playback { return &Playback{recorded: withoutRepeats(recorded)} }

// withoutRepeats leaves out reads that repeat the one before.
func withoutRepeats(recorded []Exchange) []Exchange {
	list := make([]Exchange, 0, len(recorded))
	for _, e := range recorded {
		if n := len(list); n > 0 && e.repeats(&list[n-1]) && bytes.Equal(e.Value, list[n-1].Value) &&
			slices.Equal(e.Keys, list[n-1].Keys) && e.Code == list[n-1].Code {
			continue
		}
		list = append(list, e)
	}
	return list
}

// repeats reports whether an exchange is the same read as another.
func (e *Exchange) repeats(other *Exchange) bool {
	_, embedder := e.Embedder() // two calls are two calls: what did not fit is read with answer_read
	return e.Import == other.Import && e.Key == other.Key && !e.writes() && e.Import != abi.ImportKVDelete && !embedder
}

// writes reports whether an exchange stores a value.
func (e *Exchange) writes() bool {
	return e.Import == abi.ImportKVSet || e.Import == abi.ImportKVSetTTL || e.Import == abi.ImportKVCompareAndSet
}

// asks reports whether an exchange is the answer to a request, if it is not about what a write stores.
func (e *Exchange) asks(asked *Exchange) bool {
	return e.Import == asked.Import && e.Key == asked.Key && bytes.Equal(e.Request, asked.Request) && e.Absent == asked.Absent
}

// DeviationError says where a guest first deviated from the recording.
type DeviationError struct {
	Position int       // in the recording, from 0
	Recorded *Exchange // nil: the recording had ended
	Asked    *Exchange // without the answer; nil: the guest asked nothing more
}

// Error names both requests, without the values in them.
func (e *DeviationError) Error() string {
	return fmt.Sprintf("the guest asked %s where %s is recorded (exchange %d)",
		describe(e.Asked), describe(e.Recorded), e.Position)
}

func describe(e *Exchange) string {
	switch {
	case e == nil:
		return "nothing"
	case e.writes():
		return fmt.Sprintf("%s of %d bytes to %q", e.Import, len(e.Value), e.Key)
	}
	if _, embedder := e.Embedder(); embedder {
		return fmt.Sprintf("%s with %d bytes", e.Import, len(e.Request))
	}
	return fmt.Sprintf("%s of %q", e.Import, e.Key)
}

// Deviation returns nil if the call asked exactly what was recorded, else a [*DeviationError].
func (p *Playback) Deviation() error {
	switch {
	case p.first != nil:
		return p.first
	case p.next < len(p.recorded):
		return &DeviationError{Position: p.next, Recorded: &p.recorded[p.next]}
	}
	return nil
}

// find returns the recorded answer to a request; ok is false if there is none.
func (p *Playback) find(asked Exchange) (answer Exchange, ok bool) {
	at := p.next
	if p.last != nil && asked.repeats(p.last) && (at == len(p.recorded) || !asked.repeats(&p.recorded[at])) {
		return *p.last, true
	}
	for at < len(p.recorded) && !p.recorded[at].asks(&asked) {
		at++
	}
	same := at == p.next && at < len(p.recorded) &&
		(!asked.writes() || bytes.Equal(asked.Value, p.recorded[at].Value) && asked.TTLMS == p.recorded[at].TTLMS)
	if !same {
		p.deviate(asked)
	}
	if at == len(p.recorded) {
		p.last = nil
		return Exchange{}, false
	}
	p.next, p.last = at+1, &p.recorded[at]
	return p.recorded[at], true
}

func (p *Playback) deviate(asked Exchange) {
	if p.first != nil {
		return
	}
	asked.Value, asked.Request = bytes.Clone(asked.Value), bytes.Clone(asked.Request)
	p.first = &DeviationError{Position: p.next, Asked: &asked}
	if p.next < len(p.recorded) {
		p.first.Recorded = &p.recorded[p.next]
	}
}

// StateGet implements [Environment].
func (p *Playback) StateGet(key string) ([]byte, abi.Code) {
	return p.read(Exchange{Import: abi.ImportStateGet, Key: key})
}

// KVGet implements [Environment].
func (p *Playback) KVGet(key string) ([]byte, abi.Code) {
	return p.read(Exchange{Import: abi.ImportKVGet, Key: key})
}

func (p *Playback) read(asked Exchange) ([]byte, abi.Code) {
	answer, ok := p.find(asked)
	if !ok {
		return nil, abi.CodeNotFound
	}
	return answer.Value, answer.Code
}

// KVSet implements [Environment].
func (p *Playback) KVSet(key string, value []byte) abi.Code {
	answer, _ := p.find(Exchange{Import: abi.ImportKVSet, Key: key, Value: value})
	return answer.Code
}

// KVSetTTL implements [Environment].
func (p *Playback) KVSetTTL(key string, value []byte, ttl time.Duration) abi.Code {
	answer, _ := p.find(Exchange{Import: abi.ImportKVSetTTL, Key: key, Value: value, TTLMS: ttl.Milliseconds()})
	return answer.Code
}

// KVCompareAndSet implements [Environment].
func (p *Playback) KVCompareAndSet(key string, old, value []byte, ttl time.Duration) abi.Code {
	answer, _ := p.find(compareAndSet(key, old, value, ttl))
	return answer.Code
}

// KVDelete implements [Environment].
func (p *Playback) KVDelete(key string) abi.Code {
	answer, ok := p.find(Exchange{Import: abi.ImportKVDelete, Key: key})
	if !ok {
		return abi.CodeNotFound
	}
	return answer.Code
}

// KVList implements [Environment].
func (p *Playback) KVList(prefix string) ([]string, abi.Code) {
	answer, _ := p.find(Exchange{Import: abi.ImportKVList, Key: prefix})
	return answer.Keys, answer.Code
}

// CallEmbedder implements [Environment].
func (p *Playback) CallEmbedder(_ context.Context, function string, request []byte) ([]byte, abi.Code) {
	answer, ok := p.find(Exchange{Import: EmbedderImport(function), Request: request})
	if !ok {
		return nil, abi.CodeUnsupported
	}
	return answer.Value, answer.Code
}
