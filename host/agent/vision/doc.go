// Package vision asks a model at an OpenAI-compatible endpoint a question about a picture of a page.
//
// The answer is as untrusted as the page, because the model has read the page.
package vision
