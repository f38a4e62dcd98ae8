// Package web serves the live page: what the tasks of a daemon show and do, in a browser of the person who runs it, who
// can answer dialogs there, take a task over, and try plugins.
//
// Whoever uses the page is the operator. A link with a code that works once (fragment of the URL, so that it is in no
// log and no Referer) gives a browser a cookie and a key. Each request needs both: cookies are sent to all ports of a
// host, and so to other servers of this machine; the key stays with the page. A request must name the host that is
// served, and come from its own origin. All that pages and agents say is inserted as text.
package web
