package facts

import (
	"fmt"
	"testing"
)

// What the reading of a page relies on to find what a script cannot.
func TestFactsAboutReadingByAScript(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	l.site.page("/roots", `<div id=h></div><p id=p></p><script>
		const root = document.getElementById("h").attachShadow({mode: "closed"});
		root.innerHTML = "<b>in</b>";
		root.firstChild.addEventListener("click", () => 0);
		document.getElementById("p").onmousedown = () => 0;
	</script>`)
	world := func(p *tab) any {
		return p.call(p.session, "Page.createIsolatedWorld", params{"frameId": p.target, "worldName": "ours"})["executionContextId"]
	}
	in := func(p *tab, world any, expression string, more params) entry {
		all := params{"expression": expression, "contextId": world}
		for name, value := range more {
			all[name] = value
		}
		return entry{body: p.call(p.session, "Runtime.evaluate", all)}
	}

	l.fact(t, "/roots", "a document of an isolated world tells the listeners of the page, also in closed shadow roots", func(p *tab) {
		document := in(p, world(p), "document", nil).str("result", "objectId")
		found := p.call(p.session, "DOMDebugger.getEventListeners", params{"objectId": document, "depth": -1, "pierce": true})
		kinds := map[any]bool{}
		for _, one := range found["listeners"].([]any) {
			of := one.(map[string]any)
			kinds[of["type"]] = of["backendNodeId"] != nil
		}
		p.want("the listeners", fmt.Sprint(kinds), "map[click:true mousedown:true]")
	})

	l.fact(t, "/roots", "a document of the main world tells the listeners of that world, outside of shadow roots", func(p *tab) {
		node := p.call(p.session, "DOM.getDocument", params{"depth": 0})["root"].(map[string]any)["backendNodeId"]
		document := entry{body: p.call(p.session, "DOM.resolveNode", params{"backendNodeId": node})}.str("object", "objectId")
		in(p, world(p), "document.getElementById('p').addEventListener('drop', () => 0)", nil)
		found := p.call(p.session, "DOMDebugger.getEventListeners", params{"objectId": document, "depth": -1, "pierce": false})
		var kinds []any
		for _, one := range found["listeners"].([]any) {
			kinds = append(kinds, one.(map[string]any)["type"])
		}
		p.want("the listeners", fmt.Sprint(kinds), "[mousedown]")
	})

	l.fact(t, "/roots", "an array of nodes is returned with their backend node ids and closed shadow roots", func(p *tab) {
		how := params{"serialization": "deep", "maxDepth": 2, "additionalParameters": params{"maxNodeDepth": 0, "includeShadowTree": "all"}}
		reply := in(p, world(p), "[...document.querySelectorAll('div')]", params{"serializationOptions": how})
		node := entry{body: reply.get("result", "deepSerializedValue", "value").([]any)[0].(map[string]any)}
		p.want("the element has an id", node.get("value", "backendNodeId") != nil, true)
		p.want("the mode of its root", node.str("value", "shadowRoot", "value", "mode"), "closed")
		p.want("the root has an id", node.get("value", "shadowRoot", "value", "backendNodeId") != nil, true)
	})

	l.fact(t, "/roots", "an isolated world runs script in a page whose scripts are disabled", func(p *tab) {
		p.call(p.session, "Emulation.setScriptExecutionDisabled", params{"value": true})
		p.want("the value", in(p, world(p), "document.querySelectorAll('p').length", nil).get("result", "value"), 1.0)
	})
}
