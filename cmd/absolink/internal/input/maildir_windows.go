package input

// readsMaildirs is false, so Maildirs are refused: file names on Windows cannot have the ':' before
// the flags of a message.
const readsMaildirs = false
