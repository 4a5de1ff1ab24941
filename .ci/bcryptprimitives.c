// bcryptprimitives.dll for Wine 8, which lacks it: the one function that the runtime of Go needs.
#include <windows.h>

BOOLEAN NTAPI SystemFunction036(PVOID buffer, ULONG length); // RtlGenRandom of advapi32

__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE data, SIZE_T size) {
  while (size > 0) {
    ULONG n = size > 0x10000000 ? 0x10000000 : (ULONG)size;
    if (!SystemFunction036(data, n))
      return FALSE;
    data += n;
    size -= n;
  }
  return TRUE;
}
