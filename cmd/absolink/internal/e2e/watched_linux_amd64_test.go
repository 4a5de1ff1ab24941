package e2e

import (
	"log"
	"os"
	"os/exec"
	"runtime"
	"unsafe"

	"golang.org/x/sys/unix"
)

// watched is the command that runs absolink so that only its changing calls stop at a tracer. A
// program under Wine makes twenty thousand other calls before and between them.
const watched = "absolink-watched"

func init() { peers[watched] = runWatched }

// runWatched sets a filter for the calls of this thread, and then becomes the command absolink.
func runWatched() {
	runtime.LockOSThread()
	path, err := exec.LookPath("absolink")
	if err != nil {
		log.Fatal(err)
	}
	filter := []unix.SockFilter{{Code: unix.BPF_LD | unix.BPF_W | unix.BPF_ABS}} // the number of the call
	for number := range changing {
		filter = append(filter,
			unix.SockFilter{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, Jf: 1, K: uint32(number)},
			unix.SockFilter{Code: unix.BPF_RET | unix.BPF_K, K: unix.SECCOMP_RET_TRACE})
	}
	filter = append(filter, unix.SockFilter{Code: unix.BPF_RET | unix.BPF_K, K: unix.SECCOMP_RET_ALLOW})
	program := unix.SockFprog{Len: uint16(len(filter)), Filter: &filter[0]}
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		log.Fatal(err)
	}
	_, _, errno := unix.RawSyscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, 0, uintptr(unsafe.Pointer(&program)))
	if errno != 0 {
		log.Fatal(errno)
	}
	log.Fatal(unix.Exec(path, append([]string{"absolink"}, os.Args[1:]...), os.Environ()))
}
