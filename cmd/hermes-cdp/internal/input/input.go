// Package input reads what a command is given in a file, or on its standard input.
package input

import (
	"errors"
	"fmt"
	"io"
	"os"
)

// Read reads a file, or standard input where its name is -. More than limit bytes are an error.
func Read(stdin io.Reader, file string, limit int64) ([]byte, error) {
	if file != "-" {
		opened, err := os.Open(file)
		if err != nil {
			return nil, err
		}
		defer opened.Close()
		stdin = opened
	}
	if stdin == nil {
		return nil, errors.New("there is no standard input")
	}
	text, err := io.ReadAll(io.LimitReader(stdin, limit+1))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	if int64(len(text)) > limit {
		return nil, fmt.Errorf("%s has more than %d bytes", file, limit)
	}
	return text, nil
}
