package fault

import (
	"cmp"
	"context"
	"errors"
	"slices"
)

// Code is what went wrong, in one word that is the same in Go, in the results of tools, over HTTP, on the command line
// and in docs/errors.md. Its constants are errors: errors.Is(err, ErrTimeout). A program that embeds the host may
// return codes of its own.
type Code string

// Error says what went wrong, in a few words of English. A code that is not in the list says its word.
func (c Code) Error() string {
	if text := table[c].text; text != "" {
		return text
	}
	return string(c)
}

// Is reports whether target is a code of which this one is a case: ErrBrowserGone is an ErrDisconnected.
func (c Code) Is(target error) bool {
	general, is := target.(Code)
	for parent := table[c].is; is && parent != ""; parent = table[parent].is {
		if parent == general {
			return true
		}
	}
	return false
}

// Kind is the code as the results of tools name it: the group that it belongs to, otherwise the code itself.
func (c Code) Kind() Code {
	for of := c; of != ""; of = table[of].is {
		if of == ErrTransport || of == ErrSessionLost {
			return of
		}
	}
	return c
}

// HTTPStatus is the status of an HTTP response that says only this error; 500 for a code that is not in the list.
func (c Code) HTTPStatus() int { return of(c).status }

// ExitCode is the exit code of a command that failed with it; 1 for a code that is not in the list.
func (c Code) ExitCode() int { return of(c).exit }

// Cure says what to do about it; empty for a code that is not in the list.
func (c Code) Cure() string { return table[c].cure }

// of returns the row of a code, or that of ErrFailed.
func of(c Code) row {
	if r, known := table[c]; known {
		return r
	}
	return table[ErrFailed]
}

// Error is an error of an operation. Its text is that of its cause; errors.As finds the details below it, such as
// [*StoppedError], and errors.Is its Code.
type Error struct {
	Code Code
	// Op is the operation that failed, such as attach or respond_dialog; empty if it was none of the host.
	Op string
	// Err is the cause; it may be nil.
	Err error
}

// Error returns the text of the cause, or of the code if there is none.
func (e *Error) Error() string { return cmp.Or[error](e.Err, e.Code).Error() }

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// Is reports whether target is the code, or a more general one, also where the cause is the end of a context.
func (e *Error) Is(target error) bool { return errors.Is(e.Code, target) }

// During is [Of] as a deferred call, for whatever an operation returns.
func During(op string, err *error) {
	*err = Of(op, *err)
}

// Of returns err as the error of an operation; nil stays nil. What failed as part of it is named after the whole.
func Of(op string, err error) error {
	switch e := err.(type) { //nolint:errorlint // what wraps one has a text of its own
	case nil:
		return nil
	case *Error:
		return &Error{Code: e.Code, Op: op, Err: e.Err}
	}
	return &Error{Code: CodeOf(err), Op: op, Err: err}
}

// CodeOf returns the code of an error: the first one in its chain. The end of a context is [ErrTimeout] or
// [ErrAborted], errors.ErrUnsupported is [ErrUnsupported], an error without a code is [ErrFailed], and nil has none.
// [ErrTask] only says that a task was not started, so the code of the reason goes before it.
func CodeOf(err error) Code {
	if err == nil {
		return ""
	}
	list := codes(err)
	if i := slices.IndexFunc(list, func(c Code) bool { return c != ErrTask }); i >= 0 {
		return list[i]
	}
	return append(list, ErrFailed)[0]
}

// codes returns the codes in the chain of an error, outermost first.
func codes(err error) (list []Code) {
	switch e := err.(type) { //nolint:errorlint // each error of the chain is looked at by itself
	case Code:
		return []Code{e}
	case *Error:
		return []Code{e.Code}
	case interface{ Unwrap() error }:
		return codes(e.Unwrap())
	case interface{ Unwrap() []error }:
		for _, cause := range e.Unwrap() {
			list = append(list, codes(cause)...)
		}
		return list
	}
	switch err { //nolint:errorlint // likewise
	case context.DeadlineExceeded:
		return []Code{ErrTimeout}
	case context.Canceled:
		return []Code{ErrAborted}
	case errors.ErrUnsupported:
		return []Code{ErrUnsupported}
	}
	return nil
}
