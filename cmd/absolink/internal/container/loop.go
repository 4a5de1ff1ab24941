package container

import (
	"io"
	"sync"

	"absolink/cmd/absolink/internal/account"
	"absolink/cmd/absolink/internal/batch"
	"absolink/cmd/absolink/internal/input"
	"absolink/cmd/absolink/internal/report"
)

// Loop runs the workers of one run on containers.
type Loop struct {
	Options
	Workers *batch.Pool[Worker]
	Account *account.Account
	Emit    func(e *report.Entry, out io.Writer) // reports the entry of an item; called in the order of the items
	Reading input.Options                        // options for opening the archives in a WACZ
	Shared  bool                                 // other runs work in this process, so its memory is not bounded

	starts sync.Map // of records in web archives that are read in units: *starts by source
}
