package access

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"github.com/hermes-cdp/hermes-cdp/internal/wholefile"
)

// fileVersion is the version of the file format.
const fileVersion = 1

// lockPatience is how long [LockFile] tries, lockPause apart.
const (
	lockPatience = 10 * time.Second
	lockPause    = 10 * time.Millisecond
)

// content is the content of the token file.
type content struct {
	Version int      `json:"version"`
	Tokens  []stored `json:"tokens"`
}

// readFile reads the file; a missing file has no tokens. A file that others can read or write cannot be trusted to say
// who may come in, so it is an error.
func readFile(path string) (content, error) {
	info, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return content{Version: fileVersion}, nil
	}
	if err != nil {
		return content{}, err
	}
	if !info.Mode().IsRegular() || !OwnedByUser(info) || runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0 {
		return content{}, fmt.Errorf("%s has the mode %v, so others may be able to change it: it must belong to this user and have the mode 0600", path, info.Mode())
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return content{}, err
	}
	c, err := parse(text)
	if err != nil {
		return content{}, fmt.Errorf("%s is not a file of agents' tokens: %w; delete it to revoke them all", path, err)
	}
	return c, nil
}

// parse rejects unknown fields: one of them could restrict a token.
func parse(text []byte) (c content, err error) {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&c); err != nil {
		return content{}, err
	}
	if c.Version != fileVersion {
		return content{}, fmt.Errorf("its version is %d, want %d", c.Version, fileVersion)
	}
	names := map[string]bool{}
	for _, t := range c.Tokens {
		if err := t.check(); err != nil {
			return content{}, err
		}
		if hash, err := hex.DecodeString(t.SHA256); err != nil || len(hash) != len(hashOf("")) {
			return content{}, fmt.Errorf("the hash of %s is not a SHA-256 hash", t.Name)
		}
		if names[t.Name] {
			return content{}, fmt.Errorf("%s is listed twice", t.Name)
		}
		names[t.Name] = true
	}
	return c, nil
}

// writeFile replaces the file atomically, so that nobody reads half of it.
func writeFile(path string, c content) error {
	text, err := json.MarshalIndent(c, "", "  ")
	if err != nil {
		return err
	}
	return wholefile.Write(path, append(text, '\n'), 0o600)
}

// InOwnPlace reports whether nobody but this user and root decides what is at a path: it belongs to one of them, or
// only they can put anything into its directory. The latter is so for the sockets of a service manager, which gives a
// service's user the socket (SocketUser=) and not the directory.
//
// https://www.freedesktop.org/software/systemd/man/latest/systemd.socket.html#SocketUser=
func InOwnPlace(path string) (bool, error) {
	info, err := os.Stat(path)
	if err != nil {
		return false, err
	}
	directory, err := os.Lstat(filepath.Dir(path)) // a link may be anybody's, and lead to what somebody else has
	if err != nil {
		return false, err
	}
	return OwnedByUser(info) || closedToOthers(directory), nil
}

// closedToOthers reports whether only this user and root can put files into a directory.
func closedToOthers(directory fs.FileInfo) bool {
	return OwnedByUser(directory) && (runtime.GOOS == "windows" || directory.Mode().Perm()&0o022 == 0)
}

// OwnDirectory creates a directory, or checks that nobody else can put files into it.
func OwnDirectory(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	info, err := os.Stat(dir)
	if err != nil {
		return err
	}
	if !closedToOthers(info) {
		return fmt.Errorf("others can write to the directory %s: choose a path in a directory of your own", dir)
	}
	return nil
}
