package control

import (
	"net"

	"golang.org/x/sys/unix"
)

// peerOf returns what the kernel knows of a peer since it connected.
//
// https://man7.org/linux/man-pages/man7/unix.7.html (SO_PEERCRED)
func peerOf(c *net.UnixConn) (uid uint32, pid int, ok bool) {
	raw, err := c.SyscallConn()
	if err != nil {
		return 0, 0, false
	}
	var peer *unix.Ucred
	var asked error
	err = raw.Control(func(fd uintptr) { peer, asked = unix.GetsockoptUcred(int(fd), unix.SOL_SOCKET, unix.SO_PEERCRED) })
	if err != nil || asked != nil {
		return 0, 0, false
	}
	return peer.Uid, int(peer.Pid), true
}
