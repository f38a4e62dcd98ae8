// Package view is what the host knows of a task: its snapshots, with tabs, frame trees and dialogs, and its events. All of it
// is immutable and shared: do not change it. Texts that pages chose are untrusted.
package view
