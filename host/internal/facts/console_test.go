package facts

import "testing"

func TestFactsAboutTheConsole(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	l.site.page("/noisy", `<script>console.log("one"); console.error("two"); throw new Error("three")</script>`)

	l.fact(t, "/noisy", "what was said before is repeated to each session that enables Runtime, before the reply", func(p *tab) {
		other := p.second()
		p.expect(0, ready(other))
		again := p.mark()
		p.call(other, "Runtime.disable", nil)
		enable := p.send(other, "Runtime.enable", nil)
		p.expect(again, event(other, "Runtime.consoleAPICalled", "type", "log"), event(other, "Runtime.consoleAPICalled", "type", "error"),
			event(other, "Runtime.exceptionThrown", "exceptionDetails.text", "Uncaught"), reply(enable))
	})

	l.fact(t, "/leaf", "the browser throttles nothing and repeats the last thousand", func(p *tab) {
		from := p.mark()
		p.eval(p.session, `for (let i = 0; i < 1500; i++) console.log(i)`)
		p.expect(from, event(p.session, "Runtime.consoleAPICalled", "args", []any{map[string]any{"type": "number", "value": 1499, "description": "1499"}}))
		p.want("lines", p.count(from, event(p.session, "Runtime.consoleAPICalled")), 1500)
		p.call(p.session, "Runtime.disable", nil)
		from = p.mark()
		p.call(p.session, "Runtime.enable", nil)
		p.want("repeated lines", p.count(from, event(p.session, "Runtime.consoleAPICalled")), 1000)
	})

	l.fact(t, "/leaf", "what a page had said when it was asked comes before its answer", func(p *tab) {
		from := p.mark()
		p.send(p.session, "Runtime.evaluate", params{"expression": `setTimeout(() => console.log("late")); console.log("soon")`})
		p.want("the late line came", p.happened(from, event(p.session, "Runtime.consoleAPICalled", "args", []any{map[string]any{"type": "string", "value": "late"}}), p.session), true)
	})

	l.fact(t, "/noisy", "a navigation forgets what was said", func(p *tab) {
		p.load("a", "/leaf")
		from := p.mark()
		p.call(p.session, "Runtime.disable", nil)
		p.call(p.session, "Runtime.enable", nil)
		p.never(from, event(p.session, "Runtime.consoleAPICalled"), p.session)
	})
}
