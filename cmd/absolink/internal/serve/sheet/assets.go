package sheet

import "embed"

// Assets has the files that a page needs: style.css, script.js and icon.svg.
//
//go:embed style.css script.js icon.svg
var Assets embed.FS
