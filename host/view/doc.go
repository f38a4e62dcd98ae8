// Package view holds what the host knows about a task: its snapshots, with tabs, frame trees and dialogs, and its
// events. All values are immutable and shared: do not change them. Text that a page chose is untrusted.
package view
