// Package netguard is the forward proxy through which a launched browser reaches the network. It resolves names itself,
// and connects only to addresses that the operator's rules allow: whoever answers for a name, and however often the
// answer changes, the address that is connected to is the one that was checked. It passes on what it may to the proxy
// of the operator, so that the browser never learns the password of that one.
//
// It listens on the loopback interface, where every process of the machine could use it. So it asks for a password that
// is made for each browser, and which the browser is told over its debugging connection only.
package netguard
