package input

import (
	"github.com/chromedp/cdproto/dom"

	"github.com/hermes-cdp/hermes-cdp/host/internal/page"
	"github.com/hermes-cdp/hermes-cdp/host/internal/page/geometry"
	"github.com/hermes-cdp/hermes-cdp/host/internal/page/query"
)

// areaMiddle returns a point within an area of an image map, in the box of its image; null for what is none. Of a
// polygon it is the middle of the widest part at half its height, which is inside whatever its form is. Chromium counts
// from the border's edge.
//
// https://html.spec.whatwg.org/multipage/image-maps.html#the-area-element
const areaMiddle = `(e) => {
	const image = (` + query.ShownBy + `)(e);
	if (image === e) return null;
	const says = name => (ask(Element, "getAttribute", e, name) ?? "").trim().toLowerCase();
	const c = says("coords").split(/[\s,;]+/).map(parseFloat), shape = says("shape") || "rect";
	if (shape === "default") return [image.offsetWidth / 2, image.offsetHeight / 2];
	if (c.some(isNaN) || c.length < 3) return null;
	if (shape.startsWith("circ")) return [c[0], c[1]];
	if (!shape.startsWith("poly")) return [(c[0] + c[2]) / 2, (c[1] + c[3]) / 2];
	const corners = [];
	for (let i = 0; i + 1 < c.length; i += 2) corners.push([c[i], c[i + 1]]);
	const ys = corners.map(p => p[1]), y = (Math.min(...ys) + Math.max(...ys)) / 2, edges = [];
	corners.forEach(([x1, y1], i) => {
		const [x2, y2] = corners[(i + 1) % corners.length];
		if ((y1 <= y) !== (y2 <= y)) edges.push(x1 + (x2 - x1) * (y - y1) / (y2 - y1));
	});
	edges.sort((a, b) => a - b);
	let widest = null;
	for (let i = 0; i + 1 < edges.length; i += 2) if (!widest || edges[i + 1] - edges[i] > widest[1] - widest[0]) widest = [edges[i], edges[i + 1]];
	return widest && [(widest[0] + widest[1]) / 2, y];
}`

// inArea is a point of an area in the box of its image; nil for an element that is no area of an image.
func inArea(d page.Driver, n page.Element) (at []float64, err error) {
	err = d.Run(n.Frame, n.ID, areaMiddle, nil, &at)
	return at, err
}

// middleOfArea is a point of an area of an image map in the viewport of its session, if an element is one.
func middleOfArea(d Actor, n page.Element, frame *page.Level) (at geometry.Point, is bool, err error) {
	inside, err := inArea(d, n)
	if err != nil || len(inside) != 2 {
		return geometry.Point{}, false, err
	}
	image, err := related(d, n, query.ShownBy)
	if err != nil {
		return geometry.Point{}, false, err
	}
	var box struct {
		Model struct {
			Border geometry.Quad `json:"border"`
			Width  float64       `json:"width"`
			Height float64       `json:"height"`
		} `json:"model"`
	}
	if err := d.Read(n.Frame, dom.CommandGetBoxModel, &dom.GetBoxModelParams{BackendNodeID: image.ID}, &box); err != nil {
		return geometry.Point{}, false, vanished(d, image, err)
	}
	onImage, err := geometry.Onto(frame.Quad(box.Model.Border), box.Model.Width, box.Model.Height)
	return onImage.Apply(geometry.Point{X: inside[0], Y: inside[1]}), err == nil, err
}

// scrollToArea scrolls a point of an area of an image map into view, if an element is one.
func scrollToArea(d Actor, n page.Element) error {
	inside, err := inArea(d, n)
	if err != nil || len(inside) != 2 {
		return err
	}
	image, err := related(d, n, query.ShownBy)
	if err != nil {
		return err
	}
	around := &dom.Rect{X: inside[0], Y: inside[1], Width: 1, Height: 1}
	return vanished(d, image, d.Act(n.Frame, dom.CommandScrollIntoViewIfNeeded, &dom.ScrollIntoViewIfNeededParams{BackendNodeID: image.ID, Rect: around}, nil))
}
