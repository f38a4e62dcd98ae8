package page

import (
	"encoding/json"
	"fmt"

	"github.com/chromedp/cdproto/input"
)

// DragIntercepted is the event of a drag of data, which has to be watched for.
const DragIntercepted = "Input.dragIntercepted"

// dragSteps is how many moves a drag has: pages begin one only when the pointer has moved a few pixels.
const dragSteps = 8

// Drag presses at a point, moves to another and releases there. Where the page makes a drag of data of it, the browser's own
// drag is taken over, as it would wait for a real pointer.
func Drag(d Actor, from, to Point) (err error) {
	if err := d.Act("", input.CommandSetInterceptDrags, &input.SetInterceptDragsParams{Enabled: true}, nil); err != nil {
		return err
	}
	defer func() {
		off := d.Act("", input.CommandSetInterceptDrags, &input.SetInterceptDragsParams{}, nil)
		if err == nil {
			err = off
		}
	}()
	if err := Move(d, from); err != nil {
		return err
	}
	if err := press(d, from, input.MouseButtonLeft, 1); err != nil {
		return err
	}
	for i := 1; i <= dragSteps; i++ {
		if d.Seen(DragIntercepted) != nil {
			return drop(d, to)
		}
		part := float64(i) / dragSteps
		at := Point{from.X + (to.X-from.X)*part, from.Y + (to.Y-from.Y)*part}
		if err := move(d, at, input.MouseButtonLeft); err != nil {
			return err
		}
	}
	if d.Seen(DragIntercepted) != nil {
		return drop(d, to)
	}
	return release(d, to, input.MouseButtonLeft, 1)
}

// drop ends a drag of data, which no mouse events can.
func drop(d Actor, to Point) error {
	var begun struct {
		Data *input.DragData `json:"data"`
	}
	if err := json.Unmarshal(d.Seen(DragIntercepted), &begun); err != nil {
		return fmt.Errorf("the browser's word of the drag can not be read: %w", err)
	}
	for _, kind := range []input.DispatchDragEventType{
		input.DispatchDragEventTypeDragEnter, input.DispatchDragEventTypeDragOver, input.DispatchDragEventTypeDrop,
	} {
		if err := d.Act("", input.CommandDispatchDragEvent, &input.DispatchDragEventParams{Type: kind, X: to.X, Y: to.Y, Data: begun.Data}, nil); err != nil {
			return err
		}
	}
	return release(d, to, input.MouseButtonLeft, 1)
}
