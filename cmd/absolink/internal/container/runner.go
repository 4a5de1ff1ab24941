package container

import (
	"io"
	"sync"

	"absolink/cmd/absolink/internal/account"
	"absolink/cmd/absolink/internal/batch"
	"absolink/cmd/absolink/internal/input"
	"absolink/cmd/absolink/internal/report"
)

// Runner runs the workers of a run on the items of containers. The fields are set before the first
// container.
type Runner struct {
	Options
	Workers *batch.Pool[Worker]
	Account *account.Account
	// Emit reports the entry of an item in a large container, or of an archive in a WACZ. It is
	// called in the order of the items or archives.
	Emit    func(e *report.Entry, out io.Writer)
	Reading input.Options // options for opening the archives in a WACZ
	Shared  bool          // other runs work in this process, so its memory is not bounded

	starts sync.Map // *starts of each web archive that is read in units, by its source
}
