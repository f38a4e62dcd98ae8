// Package vision asks a model at an OpenAI-compatible endpoint what is to be seen in a picture of a page.
//
// What it answers is as untrusted as the page: the model has read it.
package vision
