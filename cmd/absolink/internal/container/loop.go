package container

import (
	"io"
	"sync"

	"absolink/cmd/absolink/internal/account"
	"absolink/cmd/absolink/internal/batch"
	"absolink/cmd/absolink/internal/input"
	"absolink/cmd/absolink/internal/report"
)

// Loop takes containers of one run to its workers.
type Loop struct {
	Options
	Workers *batch.Pool[Worker]
	Account *account.Account
	Emit    func(e *report.Entry, out io.Writer) // tells the entry of an item, in order
	Reading input.Options                        // how the archives in a WACZ are opened
	Shared  bool                                 // other runs work in this process: its memory is not bounded

	starts sync.Map // of records in the web archives that are read in units: *starts by source
}
