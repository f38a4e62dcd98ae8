package guest

import "github.com/hermes-cdp/hermes-cdp/abi"

// configuration is decoded only once: it is constant for the life of an instance.
var configuration struct {
	loaded bool
	value  abi.Struct
	err    error
}

// Config returns the module-wide configuration.
func Config() (abi.Struct, error) {
	if !configuration.loaded {
		configuration.loaded = true
		configuration.value, configuration.err = readConfig()
	}
	return configuration.value, configuration.err
}

func readConfig() (abi.Struct, error) {
	n := configRead(nil)
	if n <= 0 { // there is none, or the host refuses
		return nil, codeError(n)
	}
	buf := make([]byte, n)
	if got := configRead(buf); got != n {
		return nil, codeError(got)
	}
	var s abi.Struct
	if err := s.Unmarshal(buf); err != nil {
		return nil, err
	}
	return s, nil
}

// Error is an error that is only a text; errors.New would add a package.
type Error string

// Error returns the text.
func (e Error) Error() string { return string(e) }

// codeError returns the failure that config_read returned: nil for a length, and for "not found", which means that
// there is no configuration.
func codeError(n int32) error {
	if n >= 0 || abi.Code(n) == abi.CodeNotFound {
		return nil
	}
	return Error("config_read: " + abi.Code(n).String())
}
