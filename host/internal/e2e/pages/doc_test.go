// Package pages proves on the real Chromium that an agent does its job on pages that are hard: each test is a page and
// a job, done with the tools as an agent calls them, with arguments in JSON.
package pages
