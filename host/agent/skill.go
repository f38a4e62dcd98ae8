package agent

import _ "embed" // skill.md

// Skill is a page that teaches a model to use the tools well, as a SKILL.md with its front matter.
//
//go:embed skill.md
var Skill string
