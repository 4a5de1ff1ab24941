package help

import "absolink/cmd/absolink/internal/record"

// keys returns the keys of records and their values, in a fence.
func keys() string { return "```\n" + record.Help() + "\n```\n" }
