package files

import (
	"errors"
	"fmt"
	"os"
	"unsafe"

	"golang.org/x/sys/windows"
)

// writeRights are the rights to change a file, its access rights or its owner.
const writeRights = windows.FILE_WRITE_DATA | windows.FILE_APPEND_DATA | windows.WRITE_DAC | windows.WRITE_OWNER |
	windows.GENERIC_WRITE | windows.GENERIC_ALL

// The types of entries that allow something, and have the layout of ACCESS_ALLOWED_ACE.
const (
	allowed         = windows.ACCESS_ALLOWED_ACE_TYPE
	allowedCallback = 9
)

// CheckOwner returns an error unless f belongs to the user of the process, or to the administrators
// if the user is one of them: the system gives them the files that they make.
func CheckOwner(f *os.File) error {
	sd, err := securityOf(f, windows.OWNER_SECURITY_INFORMATION)
	if err != nil {
		return err
	}
	owner, _, err := sd.Owner()
	switch {
	case err != nil:
		return err
	case owner == nil:
		return errors.New("has no owner")
	case isUser(owner):
		return nil
	case owner.IsWellKnown(windows.WinBuiltinAdministratorsSid):
		if member, err := windows.GetCurrentProcessToken().IsMember(owner); err == nil && member {
			return nil
		}
	}
	return fmt.Errorf("belongs to %s, not to you", accountOf(owner))
}

// OtherWriter returns the name of an account that may change f, although it is neither the user nor
// an administrator nor the system. It returns "" if there is none.
func OtherWriter(f *os.File) (account string, err error) {
	sd, err := securityOf(f, windows.DACL_SECURITY_INFORMATION)
	if err != nil {
		return "", err
	}
	list, _, err := sd.DACL()
	if err != nil || list == nil {
		return "everybody", nil // no list: everything is allowed
	}
	for i := range uint32(list.AceCount) {
		var entry *windows.ACCESS_ALLOWED_ACE
		if err := windows.GetAce(list, i, &entry); err != nil {
			return "", err
		}
		t := entry.Header.AceType
		if t != allowed && t != allowedCallback || entry.Header.AceFlags&windows.INHERIT_ONLY_ACE != 0 {
			continue
		}
		sid := (*windows.SID)(unsafe.Pointer(&entry.SidStart))
		if entry.Mask&writeRights != 0 && !isTrusted(sid) {
			return accountOf(sid), nil
		}
	}
	return "", nil
}

// securityOf returns the asked parts of the security descriptor of f.
func securityOf(f *os.File, parts windows.SECURITY_INFORMATION) (*windows.SECURITY_DESCRIPTOR, error) {
	return windows.GetSecurityInfo(windows.Handle(f.Fd()), windows.SE_FILE_OBJECT, parts)
}

// isTrusted reports whether an account may change each file of the user anyway.
func isTrusted(sid *windows.SID) bool {
	return isUser(sid) || sid.IsWellKnown(windows.WinLocalSystemSid) ||
		sid.IsWellKnown(windows.WinBuiltinAdministratorsSid) || sid.IsWellKnown(windows.WinCreatorOwnerRightsSid)
}

// isUser reports whether sid is the user of the process.
func isUser(sid *windows.SID) bool {
	user, err := windows.GetCurrentProcessToken().GetTokenUser()
	return err == nil && sid.Equals(user.User.Sid)
}

// accountOf returns the name of an account, or its number without a name.
func accountOf(sid *windows.SID) string {
	account, domain, _, err := sid.LookupAccount("")
	if err != nil || account == "" {
		return sid.String()
	}
	if domain == "" {
		return account
	}
	return domain + `\` + account
}

// CreatePrivate makes a file at path, which must not exist, for reading and writing. It belongs to
// the user, and only the user, administrators and the system can read or write it, whatever its
// directory says.
func CreatePrivate(path string) (*os.File, error) {
	user, err := windows.GetCurrentProcessToken().GetTokenUser()
	if err != nil {
		return nil, err
	}
	sid := user.User.Sid.String()
	sd, err := windows.SecurityDescriptorFromString("O:" + sid + "D:P(A;;FA;;;SY)(A;;FA;;;BA)(A;;FA;;;" + sid + ")")
	if err != nil {
		return nil, err
	}
	name, err := windows.UTF16PtrFromString(path)
	if err != nil {
		return nil, err
	}
	attributes := &windows.SecurityAttributes{SecurityDescriptor: sd}
	attributes.Length = uint32(unsafe.Sizeof(*attributes))
	const shared = windows.FILE_SHARE_READ | windows.FILE_SHARE_WRITE
	h, err := windows.CreateFile(name, windows.GENERIC_READ|windows.GENERIC_WRITE, shared, attributes,
		windows.CREATE_NEW, windows.FILE_ATTRIBUTE_NORMAL, 0)
	if err != nil {
		return nil, &os.PathError{Op: "CreateFile", Path: path, Err: err}
	}
	return os.NewFile(uintptr(h), path), nil
}
