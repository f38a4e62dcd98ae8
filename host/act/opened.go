package act

import "time"

const (
	// openedLimit is how long an action waits for the documents of the tabs that it opened.
	openedLimit = 2 * time.Second
	// comesToNothing is how long a tab that stopped loading has to tell what came of it, and one that gave a file to close.
	comesToNothing = 500 * time.Millisecond
)

// awaitOpened waits until the tabs that the action opened have their documents, or gave a file and were closed again.
func (a *action) awaitOpened() error {
	known := func(tab *openedTab) bool { return tab.settled || tab.stopped || tab.file }
	if err := a.untilOpened(openedLimit, known); err != nil {
		return err
	}
	return a.untilOpened(comesToNothing, func(tab *openedTab) bool { return tab.settled || !tab.stopped && !tab.file })
}

// untilOpened waits until each of the opened tabs is closed, or as it should be.
func (a *action) untilOpened(limit time.Duration, is func(*openedTab) bool) error {
	all := func(w *pageWatch) bool {
		for _, tab := range w.opened {
			if !is(tab) && a.task.Snapshot().Target(string(tab.id)) != nil {
				return false
			}
		}
		return true
	}
	already := false
	a.d.watch.look(func(w *pageWatch) { already = all(w) })
	if already {
		return nil
	}
	return a.until(limit, all)
}

// newTabs are those that came since the action began, those that are closed again at the end.
func (a *action) newTabs() []Tab {
	var list []Tab
	for _, tab := range a.task.Tabs() {
		if a.before.Target(tab.TargetID) == nil {
			list = append(list, tab)
		}
	}
	a.d.watch.look(func(w *pageWatch) {
		for _, tab := range w.opened {
			if a.task.Snapshot().Target(string(tab.id)) == nil {
				id := string(tab.id)
				list = append(list, Tab{Handle: a.task.Handle(id), TargetID: id, URL: tab.url, Popup: true, Closed: true})
			}
		}
	})
	return list
}
