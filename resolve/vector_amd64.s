#include "textflag.h"

// Each byte is looked up by its lower and by its upper four bits. What the two entries
// have in common says what it is: a control character, DEL or above ASCII (1), one of
// blank '"' '%' '\'' (2), of '<' '>' '\\' '^' (4), '`' (8), or of '{' '}' (16).
DATA lower<>+0x00(SB)/8, $0x030103010103010b
DATA lower<>+0x08(SB)/8, $0x1105110511010101
GLOBL lower<>(SB), RODATA|NOPTR, $16
DATA upper<>+0x00(SB)/8, $0x1008040004020101
DATA upper<>+0x08(SB)/8, $0x0101010101010101
GLOBL upper<>(SB), RODATA|NOPTR, $16

DATA chars<>+0x00(SB)/8, $"\x0f/.\x00\x00\x00\x00\x00"
GLOBL chars<>(SB), RODATA|NOPTR, $8

// func plainVector(s string) bool
TEXT ·plainVector(SB), NOSPLIT, $0-17
	MOVQ s_base+0(FP), SI
	MOVQ s_len+8(FP), CX
	VBROADCASTI128 lower<>(SB), Y10
	VBROADCASTI128 upper<>(SB), Y11
	VPBROADCASTB chars<>+0(SB), Y12
	VPBROADCASTB chars<>+1(SB), Y13 // /
	VPBROADCASTB chars<>+2(SB), Y14 // .
	MOVL $-1, BX
	CMPQ CX, $32
	JLT  short
	LEAQ -32(SI)(CX*1), DI // the last 32 bytes

next:
	VMOVDQU (SI), Y0

look:
	VPAND   Y12, Y0, Y1
	VPSHUFB Y1, Y10, Y1
	VPSRLW  $4, Y0, Y2
	VPAND   Y12, Y2, Y2
	VPSHUFB Y2, Y11, Y2
	VPTEST  Y1, Y2
	JNZ     no
	VPCMPEQB Y13, Y0, Y1
	VPCMPEQB Y14, Y0, Y2
	VPMOVMSKB Y1, AX
	VPMOVMSKB Y2, DX
	SHRL $1, DX
	ANDL BX, DX
	TESTL AX, DX
	JNZ  no            // a dot behind a slash
	CMPQ SI, DI
	JEQ  yes
	ADDQ $31, SI       // the last byte may be a slash
	CMPQ SI, DI
	CMOVQHI DI, SI
	JMP  next

short:
	// The first 16 bytes and the last 16, which do not follow each other.
	VMOVDQU (SI), X0
	VINSERTI128 $1, -16(SI)(CX*1), Y0, Y0
	MOVL $0xffff7fff, BX
	MOVQ SI, DI
	JMP  look

yes:
	MOVB $1, ret+16(FP)
	VZEROUPPER
	RET

no:
	MOVB $0, ret+16(FP)
	VZEROUPPER
	RET
