package static

import "embed"

// Files has the page and its script. The other files of the page are those of sheet.Assets, the
// program absolink.wasm, and wasm_exec.js of the Go distribution.
//
//go:embed index.html page.js
var Files embed.FS
