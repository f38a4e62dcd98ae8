package page

import (
	"context"
	"time"

	cdproto "github.com/chromedp/cdproto/cdp"
)

const (
	// calm is how long nothing may change in a page for it to be at rest.
	calm = 100 * time.Millisecond
	// calmLook is how long two looks at that are apart.
	calmLook = 20 * time.Millisecond
)

// sinceChange returns for how many milliseconds nothing has changed in a document, since it was first asked. It asks
// for no timer, which pages in the background hardly get.
const sinceChange = `() => {
	if (!Object.hasOwn(globalThis, "hermesCalm")) {
		const calm = globalThis.hermesCalm = {since: performance.now()};
		calm.observer = new MutationObserver(() => { calm.since = performance.now() });
		calm.observer.observe(document, {subtree: true, childList: true, attributes: true, characterData: true});
	}
	return performance.now() - hermesCalm.since;
}`

const forgetChange = `() => {
	if (Object.hasOwn(globalThis, "hermesCalm")) hermesCalm.observer.disconnect();
	delete globalThis.hermesCalm;
	return null;
}`

// AwaitRest waits until nothing has changed in a tab's top document for a moment, and nothing that it needs is under
// way, for at most limit. The error is one that ends the operation.
func AwaitRest(d Reader, limit time.Duration, underWay func() bool) error {
	began := time.Now()
	ctx, cancel := context.WithTimeout(d.Context(), 4*limit) // for the answers of a busy page
	defer cancel()
	defer func() { _ = d.RunWithin(ctx, "", nil, forgetChange, nil, nil) }()
	idle := began // since when nothing is under way
	for {
		var now float64 // for how many milliseconds nothing has changed
		err := d.RunWithin(ctx, "", nil, sinceChange, nil, &now)
		if err != nil && (ctx.Err() != nil || d.Ends(err)) {
			return endOf(d, err)
		}
		if underWay() {
			idle = time.Now()
		}
		calmFor := min(time.Duration(now*float64(time.Millisecond)), time.Since(idle))
		if err == nil && (calmFor >= calm || time.Since(began) >= limit) {
			return nil
		}
		select {
		case <-time.After(calmLook):
		case <-ctx.Done():
			return endOf(d, ctx.Err())
		}
	}
}

// endOf is an error, if it ends the operation.
func endOf(d Reader, err error) error {
	if d.Ends(err) {
		return err
	}
	return nil
}

// Wrong is a field of a page that has what the page does not accept, and why, in the browser's words or the page's.
type Wrong struct {
	Node *Node  // nil: the reading does not have it
	Why  string // empty: a plugin has edited what it could quote
}

// maxWrong is how many of them are named.
const maxWrong = 5

// wrongFields finds the fields that the user has filled in wrongly or has tried to submit, and the one with the focus,
// by the numbers that the walker gave them.
const wrongFields = `(_, max) => {
	const query = what => [...Document.prototype.querySelectorAll.call(document, what)];
	const wrong = new Set([...query(":user-invalid"), ...query(":focus:invalid").filter(e => e.value)]);
	return [...wrong].filter(e => e.validationMessage).slice(0, max).map(e =>
		({node: Object.hasOwn(globalThis, "hermesWalker") ? hermesWalker.number(e) : 0, why: e.validationMessage.slice(0, 200)}));
}`

// Wrong lists the fields of a tab that are filled in wrongly, with the nodes that they have in a reading. A frame that
// does not answer has none.
func (t *Tree) Wrong(ctx context.Context, d Reader) (list []Wrong) {
	for _, f := range OpenFrames(t.all) {
		var found []struct {
			Node cdproto.BackendNodeID
			Why  string
		}
		if d.RunWithin(ctx, f.ID, nil, wrongFields, []any{maxWrong}, &found) != nil {
			continue
		}
		for _, w := range found[:min(len(found), maxWrong-len(list))] {
			n := t.Find(Key{f.ID, t.frames[f.ID], walkedKey + w.Node})
			if t.sieve != "" && (n == nil || n.masked) {
				w.Why = ""
			}
			list = append(list, Wrong{n, w.Why})
		}
	}
	return list
}
