// Package recording stores what a tab showed as video files: WebM with VP8. It needs no encoder, because the browser's
// lossy WebP pictures already are VP8 key frames.
//
// A file is valid after each frame: each frame is a cluster with a known size (RFC 9559) and is written in one piece,
// so that the file of a killed process plays up to its last frame. Ending a file adds an index, so that players can
// seek.
package recording
