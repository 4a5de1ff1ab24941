package input

// readsMaildirs is false: file names on Windows cannot hold the ':' before the flags of a message,
// so Maildirs are refused.
const readsMaildirs = false
