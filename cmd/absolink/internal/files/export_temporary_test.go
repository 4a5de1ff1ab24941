package files

// Checked returns the name with its check, which it lacks.
func Checked(name string) string { return name + short(name) }
