package fault

// NetworkRefusedError says which address a page was refused, and why. It matches [ErrNetworkRefused].
type NetworkRefusedError struct {
	// Host is the host of the URL, and Address what it stands for; empty if it was not looked up.
	Host, Address string
	// Class is the kind of address that it is: loopback, private, link-local, metadata or special; unresolved if its name
	// has no address here that could be checked.
	Class string
}

// Error names the address, and the key that allows it.
func (e *NetworkRefusedError) Error() string {
	what := e.Host
	if e.Address != "" && e.Address != e.Host {
		what += " (" + e.Address + ")"
	}
	if e.Class == unresolved {
		return ErrNetworkRefused.Error() + ": no address of " + what + " was found here, so it could not be checked; if it exists where the browser runs, " +
			"the operator can allow its name with browser.network.allow"
	}
	return ErrNetworkRefused.Error() + ": " + what + " is a " + e.Class + " address, which this browser may not reach; the operator can allow it with browser.network.allow"
}

// unresolved is the class of a name whose addresses are not known.
const unresolved = "unresolved"

// Unwrap returns [ErrNetworkRefused].
func (e *NetworkRefusedError) Unwrap() error { return ErrNetworkRefused }
