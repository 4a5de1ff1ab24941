package input

// readsMaildirs says that Maildirs are refused here, where no file name may hold the ':' of
// their flags.
const readsMaildirs = false
