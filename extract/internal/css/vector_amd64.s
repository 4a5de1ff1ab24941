#include "textflag.h"

// Each table has at the place of the lower four bits of a byte what begins something
// there: where the byte is what begins it, where it stands behind a '/', and where it is
// one or two places before a '('. The other places hold a byte that is none of
// theirs, or begins something anyway.
DATA alone<>+0x00(SB)/8, $0x2700000000220040
DATA alone<>+0x08(SB)/8, $0x0000005c00000000
GLOBL alone<>(SB), RODATA|NOPTR, $16
DATA behind<>+0x00(SB)/8, $0x2222222222222222
DATA behind<>+0x08(SB)/8, $0x22222222222f2222
GLOBL behind<>(SB), RODATA|NOPTR, $16
DATA before<>+0x00(SB)/8, $0x2222282828222222
DATA before<>+0x08(SB)/8, $0x2222222822222222
GLOBL before<>(SB), RODATA|NOPTR, $16
DATA twice<>+0x00(SB)/8, $0x2822282222282222
DATA twice<>+0x08(SB)/8, $0x2222222222222222
GLOBL twice<>(SB), RODATA|NOPTR, $16

// func startVector(data []byte, i int) int
//
// SI is the data, DI the offset of the 32 bytes at hand, R8 the last one there may be, BX
// says which of them to look at.
TEXT ·startVector(SB), NOSPLIT, $0-40
	MOVQ data_base+0(FP), SI
	MOVQ data_len+8(FP), R8
	MOVQ i+24(FP), DI
	VBROADCASTI128 alone<>(SB), Y12
	VBROADCASTI128 behind<>(SB), Y13
	VBROADCASTI128 before<>(SB), Y14
	VBROADCASTI128 twice<>(SB), Y15
	MOVL $-1, BX
	SUBQ $33, R8
	CMPQ DI, R8
	JGT  rest
	PCALIGN $32

look:
	VMOVDQU (SI)(DI*1), Y0
	VMOVDQU 1(SI)(DI*1), Y2
	VMOVDQU -1(SI)(DI*1), Y3
	VMOVDQU -2(SI)(DI*1), Y4
	VPSHUFB Y0, Y12, Y1
	VPSHUFB Y2, Y13, Y2
	VPSHUFB Y3, Y14, Y3
	VPSHUFB Y4, Y15, Y4
	VPCMPEQB Y0, Y1, Y1
	VPCMPEQB Y0, Y2, Y2
	VPCMPEQB Y0, Y3, Y3
	VPCMPEQB Y0, Y4, Y4
	VPAND Y3, Y4, Y3
	VPOR  Y1, Y2, Y1
	VPOR  Y1, Y3, Y1
	VPMOVMSKB Y1, AX
	ANDL BX, AX
	JNZ  found
	ADDQ $32, DI
	CMPQ DI, R8
	JLE  look

rest:
	// The last ones, without those that were looked at.
	MOVQ DI, CX
	SUBQ R8, CX
	MOVQ R8, DI
	XORL AX, AX
	SHLXL CX, BX, BX
	CMPQ CX, $32
	JLT  look

found:
	TZCNTL AX, AX // 32 where there is none
	ADDQ AX, DI
	MOVQ DI, ret+32(FP)
	VZEROUPPER
	RET
