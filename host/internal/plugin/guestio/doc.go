// Package guestio is what a guest exchanges with its host while it serves a call: the [Environment] that it may ask,
// the [Store] that answers for what plugins keep, and the [Recorder] and the [Playback] by which a call is recorded,
// and replayed with the same answers.
package guestio
