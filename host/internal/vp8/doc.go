// Package vp8 encodes pictures as VP8 key frames, as the browser's own pictures are: RFC 6386. It has one quality and
// the simplest of the tools of the format, for pictures that are drawn into a recording now and then.
package vp8
