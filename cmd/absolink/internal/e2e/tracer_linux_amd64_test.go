package e2e

import (
	"encoding/binary"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"
)

// A tracer runs the program under ptrace. It sees each system call that changes something below a
// directory: a write, a flush, a new name. It can kill the program before such a call, or make the
// call fail.

// call is a system call of the traced program that changes a file or a directory.
type call struct {
	number uint64
	args   [6]uint64
	path   string // of the file or directory that changes, or of the old name
	to     string // the new name, of a call that renames or links; otherwise empty
	failed bool   // set when the call has returned
	result int64
}

// tracer decides about the calls of one run.
type tracer struct {
	dir string // only calls about paths below this directory count
	// before is called before a call that counts, with its number from 1. It returns 0 to let the
	// program go on, killed to kill it, or the error number that the call shall return.
	before func(n int, c *call) unix.Errno
	// after is called when a call that counts has returned in a thread. It may be nil.
	after func(c *call, thread int)

	n    int                // number of calls that counted
	open map[int]*call      // the calls that count and have not returned, by thread
	fail map[int]unix.Errno // what they shall return, by thread
}

// killed is the result of tracer.before that kills the program.
const killed = unix.Errno(1 << 20)

// changing are the system calls that may change something.
var changing = map[uint64]bool{unix.SYS_OPENAT: true, unix.SYS_WRITE: true, unix.SYS_PWRITE64: true,
	unix.SYS_FSYNC: true, unix.SYS_RENAMEAT: true, unix.SYS_RENAMEAT2: true, unix.SYS_LINKAT: true,
	unix.SYS_UNLINKAT: true, unix.SYS_FTRUNCATE: true, unix.SYS_FCHMOD: true, unix.SYS_FCHOWN: true,
	unix.SYS_UTIMENSAT: true, unix.SYS_FSETXATTR: true, unix.SYS_FLOCK: true, unix.SYS_MKDIRAT: true,
	unix.SYS_COPY_FILE_RANGE: true, unix.SYS_SYMLINKAT: true, unix.SYS_WRITEV: true}

// traced is the end of a traced run.
type traced struct {
	killed bool
	code   int // exit code, unless it was killed
	stderr string
}

// run runs the program in dir until it ends or is killed. It needs a goroutine of its own.
func (r *tracer) run(t *testing.T, dir string, args []string) traced {
	t.Helper()
	done := make(chan traced)
	go func() { // ptrace belongs to a thread, which ends with this goroutine
		runtime.LockOSThread()
		res, err := r.trace(t, dir, args)
		if err != nil {
			t.Errorf("ptrace: %v", err)
		}
		done <- res
	}()
	return <-done
}

// trace does the work of run.
func (r *tracer) trace(t *testing.T, dir string, args []string) (traced, error) {
	name := "absolink"
	if underWine() {
		name = watched
	}
	program, err := exec.LookPath(name)
	if err != nil {
		return traced{}, err
	}
	stderr, err := os.CreateTemp(t.TempDir(), "stderr")
	if err != nil {
		return traced{}, err
	}
	defer stderr.Close()
	p, err := os.StartProcess(program, append([]string{name}, args...), &os.ProcAttr{Dir: dir,
		Files: []*os.File{nil, nil, stderr}, Sys: &syscall.SysProcAttr{Ptrace: true}})
	if err != nil {
		return traced{}, err
	}
	pid := p.Pid
	p.Release()
	r.open = make(map[int]*call)
	r.fail = make(map[int]unix.Errno)
	status, err := r.follow(pid)
	if err != nil {
		unix.Kill(pid, unix.SIGKILL)
		return traced{}, err
	}
	text, err := os.ReadFile(stderr.Name())
	return traced{killed: status.Signaled(), code: status.ExitStatus(), stderr: string(text)}, err
}

// follow lets the threads of the process run from call to call until it ends.
func (r *tracer) follow(pid int) (unix.WaitStatus, error) {
	var status unix.WaitStatus
	if _, err := unix.Wait4(pid, &status, unix.WALL, nil); err != nil {
		return status, err
	}
	options := unix.PTRACE_O_TRACESYSGOOD | unix.PTRACE_O_TRACECLONE | unix.PTRACE_O_EXITKILL |
		unix.PTRACE_O_TRACESECCOMP
	goOn := unix.PtraceSyscall
	if underWine() {
		goOn = unix.PtraceCont // to the next call that stops at the filter
	}
	if err := unix.PtraceSetOptions(pid, options); err != nil {
		return status, err
	}
	for thread := pid; ; {
		sig := 0
		switch {
		case !status.Stopped():
		case status.StopSignal() == unix.SIGTRAP|0x80 || status.TrapCause() == unix.PTRACE_EVENT_SECCOMP:
			if err := r.stopped(pid, thread); err != nil && err != unix.ESRCH {
				return status, err
			}
		case status.StopSignal() != unix.SIGTRAP && status.StopSignal() != unix.SIGSTOP:
			sig = int(status.StopSignal())
		}
		if status.Stopped() {
			if err := goOn(thread, sig); err != nil && err != unix.ESRCH {
				return status, err
			}
		}
		var err error
		for {
			// Only children of this thread: other tests wait for theirs.
			thread, err = unix.Wait4(-1, &status, unix.WALL|unix.WNOTHREAD, nil)
			if err != unix.EINTR {
				break
			}
		}
		if err != nil {
			return status, err
		}
		if thread == pid && (status.Exited() || status.Signaled()) {
			return status, nil
		}
	}
}

// syscallInfo is struct ptrace_syscall_info of Linux.
type syscallInfo struct {
	op     uint8
	_      [3]byte
	arch   uint32
	ip, sp uint64
	number uint64 // at the end of a call its result
	args   [6]uint64
	_      [2]uint64
}

// stopped handles a thread that stopped before or after a call.
func (r *tracer) stopped(pid, thread int) error {
	var info syscallInfo
	_, _, errno := unix.Syscall6(unix.SYS_PTRACE, unix.PTRACE_GET_SYSCALL_INFO, uintptr(thread),
		unsafe.Sizeof(info), uintptr(unsafe.Pointer(&info)), 0, 0)
	if errno != 0 {
		return errno
	}
	switch info.op {
	case unix.PTRACE_SYSCALL_INFO_ENTRY, unix.PTRACE_SYSCALL_INFO_SECCOMP:
		return r.entered(pid, thread, &info)
	case unix.PTRACE_SYSCALL_INFO_EXIT:
		return r.left(thread, &info)
	}
	return nil
}

// entered handles the start of a call.
func (r *tracer) entered(pid, thread int, info *syscallInfo) error {
	delete(r.open, thread)
	if !changing[info.number] {
		return nil
	}
	c := r.describe(thread, info)
	if c == nil {
		return nil
	}
	r.n++
	r.open[thread] = c
	switch errno := r.before(r.n, c); errno {
	case 0:
		return nil
	case killed:
		return unix.Kill(pid, unix.SIGKILL)
	default:
		r.fail[thread] = errno
		return r.setRegister(thread, func(regs *unix.PtraceRegs) { regs.Orig_rax = ^uint64(0) }) // no call
	}
}

// left handles the end of a call.
func (r *tracer) left(thread int, info *syscallInfo) error {
	c := r.open[thread]
	if c == nil {
		return nil
	}
	delete(r.open, thread)
	c.result = int64(info.number)
	c.failed = c.result < 0
	if errno := r.fail[thread]; errno != 0 {
		delete(r.fail, thread)
		c.failed = true
		return r.setRegister(thread, func(regs *unix.PtraceRegs) { regs.Rax = uint64(-int64(errno)) })
	}
	if r.after != nil {
		r.after(c, thread)
	}
	return nil
}

// setRegister changes the registers of a thread.
func (r *tracer) setRegister(thread int, f func(*unix.PtraceRegs)) error {
	var regs unix.PtraceRegs
	if err := unix.PtraceGetRegs(thread, &regs); err != nil {
		return err
	}
	f(&regs)
	return unix.PtraceSetRegs(thread, &regs)
}

// describe returns a call that changes something below r.dir, or nil for any other call.
func (r *tracer) describe(thread int, info *syscallInfo) *call {
	c := &call{number: info.number, args: info.args}
	a := &c.args
	switch c.number {
	case unix.SYS_OPENAT:
		if a[2]&(unix.O_CREAT|unix.O_TRUNC) == 0 {
			return nil
		}
		c.path = pathAt(thread, a[0], a[1])
	case unix.SYS_RENAMEAT, unix.SYS_RENAMEAT2, unix.SYS_LINKAT:
		c.path = pathAt(thread, a[0], a[1])
		c.to = pathAt(thread, a[2], a[3])
	case unix.SYS_UNLINKAT, unix.SYS_MKDIRAT:
		c.path = pathAt(thread, a[0], a[1])
	case unix.SYS_SYMLINKAT:
		c.path = pathAt(thread, a[1], a[2])
	case unix.SYS_UTIMENSAT:
		c.path = pathOf(thread, a[0])
		if a[1] != 0 {
			c.path = pathAt(thread, a[0], a[1])
		}
	case unix.SYS_COPY_FILE_RANGE:
		c.path = pathOf(thread, a[2])
	case unix.SYS_WRITEV:
		c.path = pathOf(thread, a[0])
		if underWine() {
			c.path = r.requested(thread, a[1], a[2])
		}
	default:
		c.path = pathOf(thread, a[0])
	}
	if c.path != r.dir && !strings.HasPrefix(c.path, r.dir+"/") {
		return nil
	}
	return c
}

// requested returns the path in a request to Wine's server, or "". The arguments are those of
// writev. The last piece of a request about a file is its path, or ./ and a path below an open
// directory. The program opens no directories outside r.dir.
func (r *tracer) requested(thread int, at, n uint64) string {
	const size = 16 // of struct iovec
	if n < 2 {
		return ""
	}
	last := readMemory(thread, at+(n-1)*size, size, false)
	if len(last) < size {
		return ""
	}
	length := binary.LittleEndian.Uint64(last[8:])
	text := string(readMemory(thread, binary.LittleEndian.Uint64(last), int(min(length, unix.PathMax)), false))
	if name, ok := strings.CutPrefix(text, "./"); ok {
		return r.dir + "/" + name
	}
	return text
}

// name returns the name of the system call.
func (c *call) name() string {
	names := map[uint64]string{unix.SYS_OPENAT: "open", unix.SYS_WRITE: "write", unix.SYS_PWRITE64: "pwrite",
		unix.SYS_FSYNC: "fsync", unix.SYS_RENAMEAT: "rename", unix.SYS_RENAMEAT2: "rename",
		unix.SYS_LINKAT: "link", unix.SYS_UNLINKAT: "unlink", unix.SYS_FTRUNCATE: "truncate",
		unix.SYS_FCHMOD: "chmod", unix.SYS_FCHOWN: "chown", unix.SYS_UTIMENSAT: "utimens",
		unix.SYS_FSETXATTR: "setxattr", unix.SYS_FLOCK: "flock", unix.SYS_MKDIRAT: "mkdir",
		unix.SYS_WRITEV: "writev"}
	return names[c.number]
}

// pathOf returns the path of a descriptor of a thread.
func pathOf(thread int, fd uint64) string {
	link := "cwd"
	if int32(fd) != unix.AT_FDCWD {
		link = "fd/" + strconv.FormatUint(fd, 10)
	}
	path, _ := os.Readlink(filepath.Join("/proc", strconv.Itoa(thread), link))
	return strings.TrimSuffix(path, " (deleted)")
}

// pathAt returns the path of a name in a directory of a thread.
func pathAt(thread int, fd, at uint64) string {
	name := string(readMemory(thread, at, unix.PathMax, true))
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(pathOf(thread, fd), name)
}

// readMemory returns up to size bytes at an address of a thread: with text up to a zero byte.
func readMemory(thread int, at uint64, size int, text bool) []byte {
	var all []byte
	for len(all) < size {
		n := size - len(all)
		if text {
			n = min(n, os.Getpagesize()-int(at)%os.Getpagesize()) // the next page may not exist
		}
		b := make([]byte, n)
		local := []unix.Iovec{{Base: &b[0], Len: uint64(n)}}
		remote := []unix.RemoteIovec{{Base: uintptr(at), Len: n}}
		got, err := unix.ProcessVMReadv(thread, local, remote, 0)
		if err != nil || got == 0 {
			break
		}
		b = b[:got]
		if text {
			if i := strings.IndexByte(string(b), 0); i >= 0 {
				return append(all, b[:i]...)
			}
		}
		all = append(all, b...)
		at += uint64(got)
	}
	return all
}
