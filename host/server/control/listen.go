package control

import (
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"

	"github.com/hermes-cdp/hermes-cdp/host/server/access"
)

// maxSocketPath fits into sockaddr_un on all systems, with room for the directory in which a socket is created.
const maxSocketPath = 80

// ListenSocket listens on a unix socket that only this user can open (mode 0600, in a directory that nobody else can
// write to). A dead daemon's socket is replaced; if the daemon is alive, the error is ErrDaemonRunning. Closing the
// listener removes the socket.
func ListenSocket(path string) (net.Listener, error) {
	return listenFor("control.socket", path, Owner)
}

// GivenSocket returns the path of a unix socket on which somebody else listens for a daemon, such as a service manager.
// Who can open it is the operator: that is its owner and its group, and a socket that is open to others is refused.
func GivenSocket(l net.Listener) (path string, err error) {
	unix, isUnix := l.Addr().(*net.UnixAddr)
	if !isUnix {
		return "", fmt.Errorf("control.socket: the given socket is at %s, and is no unix socket", l.Addr())
	}
	info, err := os.Stat(unix.Name)
	if err != nil {
		return "", fmt.Errorf("control.socket: %w", err)
	}
	if info.Mode().Perm()&0o007 != 0 {
		return "", fmt.Errorf("control.socket: %s has the mode %#o, so that everybody could control the browsers: give it the mode 0600, or 0660 for a group (SocketMode=)", unix.Name, info.Mode().Perm())
	}
	return unix.Name, nil
}

// Users says who can open a socket, in the words of control.agents_access.
type Users string

// The users. Empty is Owner.
const (
	Owner     Users = "owner"
	Group     Users = "group"
	Everybody Users = "everybody"
)

// openTo has the mode of a socket, and the bits that its directory needs for it.
var openTo = map[Users]struct{ socket, directory fs.FileMode }{
	"": {0o600, 0}, Owner: {0o600, 0}, Group: {0o660, 0o010}, Everybody: {0o666, 0o001},
}

// ListenAgentsSocket is ListenSocket for a socket whose requests need tokens and which others may open, in a directory
// that they can enter but not write to.
func ListenAgentsSocket(path string, users Users) (net.Listener, error) {
	return listenFor("control.agents_socket", path, users)
}

func listenFor(key, path string, users Users) (net.Listener, error) {
	l, err := listenSocket(path, users)
	if err != nil {
		return nil, fmt.Errorf("%s: %s: %w", key, path, err)
	}
	return l, nil
}

func listenSocket(path string, users Users) (net.Listener, error) {
	if len(path) > maxSocketPath {
		return nil, fmt.Errorf("the path has %d bytes, and at most %d are allowed for a socket: choose a shorter one", len(path), maxSocketPath)
	}
	dir := filepath.Dir(path)
	if err := ownDirectory(dir, users); err != nil {
		return nil, err
	}
	// The lock distinguishes a live daemon from a dead one, whatever is left of its socket. It is never removed, as a lock
	// on a removed file excludes nobody.
	lock, err := lockFile(path + ".lock")
	if err != nil {
		return nil, err
	}
	// The socket is created elsewhere and renamed, so that it never has another mode, and replaces an old one atomically.
	made, err := os.MkdirTemp(dir, ".new-") // mode 0700
	if err != nil {
		return nil, errors.Join(err, lock.Close())
	}
	defer os.RemoveAll(made)
	listener, err := net.ListenUnix("unix", &net.UnixAddr{Name: filepath.Join(made, "s"), Net: "unix"})
	if err != nil {
		return nil, errors.Join(err, lock.Close())
	}
	listener.SetUnlinkOnClose(false)
	err = os.Chmod(filepath.Join(made, "s"), openTo[users].socket)
	if err == nil {
		err = os.Rename(filepath.Join(made, "s"), path)
	}
	if err != nil {
		return nil, errors.Join(err, listener.Close(), lock.Close())
	}
	return &socket{UnixListener: listener, path: path, lock: lock}, nil
}

// ownDirectory is [access.OwnDirectory], and checks that those who are to use the socket can reach it.
func ownDirectory(dir string, users Users) error {
	if err := access.OwnDirectory(dir); err != nil {
		return err
	}
	info, err := os.Stat(dir)
	if err != nil {
		return err
	}
	if enter := openTo[users].directory; info.Mode().Perm()&enter != enter {
		return fmt.Errorf("control.agents_access is %s, but the directory %s has the mode %#o and does not let them in: chmod it, or choose another", users, dir, info.Mode().Perm())
	}
	return nil
}

// socket is a listener that removes its socket and then releases the lock.
type socket struct {
	*net.UnixListener
	path string
	lock *os.File
}

func (s *socket) Close() error {
	err := s.UnixListener.Close()
	if errors.Is(err, net.ErrClosed) {
		return err // a second Close must not remove the socket of the next daemon
	}
	return errors.Join(err, os.Remove(s.path), s.lock.Close())
}
