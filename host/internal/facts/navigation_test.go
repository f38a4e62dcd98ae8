package facts

import (
	"net/http"
	"testing"
)

func TestFactsAboutNavigationsInFlight(t *testing.T) {
	t.Parallel()
	l := newLab(t)

	l.fact(t, "/tree", "commands to a frame wait for its navigation, and run in the old document when it is stopped", func(p *tab) {
		requested, proceed := make(chan struct{}), make(chan struct{})
		p.site.handle("/never", func(_ http.ResponseWriter, r *http.Request) {
			close(requested)
			select {
			case <-proceed:
			case <-r.Context().Done():
			}
		})
		p.site.handle("/begun", func(http.ResponseWriter, *http.Request) { <-requested })
		defer close(proceed)
		oopif, _ := p.oopif(p.session, p.site.url("b", "/x1"))
		from := p.mark()
		p.start(p.session, `location = "/never"; fetch("/begun").then(() => console.log("begun")); 0`)
		p.expect(from, event(p.session, "Runtime.consoleAPICalled"))

		held := p.start(p.session, `location.pathname`)
		p.want("another process", p.eval(oopif, `location.pathname`), "/x1")
		p.call(p.session, "Runtime.terminateExecution", nil) // answers, and does not end what has not begun
		p.never(from, reply(held), oopif)
		stop := p.send(p.session, "Page.stopLoading", nil)
		ran := p.expect(from, reply(stop), reply(held))[1]
		p.want("where it ran", ran.get("result", "value"), "/tree")
	})
}
