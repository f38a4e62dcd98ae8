package control

import (
	"context"
	"net"
	"os/user"
	"strconv"

	"github.com/hermes-cdp/hermes-cdp/host/server/access"
)

// peerKey is the context key of who is at the other end of a connection.
type peerKey struct{}

// WithPeer adds to a connection's context which user and process have connected, where the system tells that of a
// unix socket. It is for [http.Server.ConnContext].
func WithPeer(ctx context.Context, c net.Conn) context.Context {
	socket, ok := c.(*net.UnixConn)
	if !ok {
		return ctx
	}
	uid, pid, ok := peerOf(socket)
	if !ok {
		return ctx
	}
	by := access.By{Who: "uid " + strconv.FormatUint(uint64(uid), 10), Via: "socket", PID: pid}
	if u, err := user.LookupId(strconv.FormatUint(uint64(uid), 10)); err == nil {
		by.Who = u.Username
	}
	return context.WithValue(ctx, peerKey{}, by)
}
