//go:build !purego

#include "textflag.h"

// func index(data *byte, n, i int, s *Set) int
//
// SI is data, DI the offset of the current 32 bytes, R8 the last possible offset. BX is a mask
// of the 32 bytes that count.
TEXT ·index(SB), NOSPLIT, $0-40
	MOVQ data+0(FP), SI
	MOVQ n+8(FP), R8
	MOVQ i+16(FP), DI
	MOVQ s+24(FP), DX
	MOVL $0x0f0f0f0f, AX
	VMOVD AX, X11
	VPBROADCASTD X11, Y11
	VPXOR Y12, Y12, Y12
	VBROADCASTI128 (DX), Y13   // s.lower
	VBROADCASTI128 16(DX), Y14 // s.upper
	MOVL $-1, BX
	SUBQ $32, R8
	CMPQ DI, R8
	JGT  rest

next:
	VMOVDQU (SI)(DI*1), Y0
	VPSRLW $4, Y0, Y1
	VPAND Y11, Y0, Y0
	VPAND Y11, Y1, Y1
	VPSHUFB Y0, Y13, Y0
	VPSHUFB Y1, Y14, Y1
	VPAND Y0, Y1, Y0
	VPCMPEQB Y12, Y0, Y0
	VPMOVMSKB Y0, AX
	NOTL AX
	ANDL BX, AX
	JNZ  found
	ADDQ $32, DI
	CMPQ DI, R8
	JLE  next

rest:
	// The last 32 bytes, without the bytes that were searched already or are before i.
	MOVQ DI, CX
	SUBQ R8, CX
	MOVQ R8, DI
	SHLL CX, BX
	CMPQ CX, $32
	JLT  next
	LEAQ 32(R8), DI // none
	XORL AX, AX
	JMP  done

found:
	BSFL AX, AX

done:
	ADDQ DI, AX
	MOVQ AX, ret+32(FP)
	VZEROUPPER
	RET

// func indexPair(data *byte, n, i int, s *Pair) int
//
// SI is data, DI the offset of the current 32 bytes, R8 the last offset with a byte after them.
TEXT ·indexPair(SB), NOSPLIT, $0-40
	MOVQ data+0(FP), SI
	MOVQ n+8(FP), R8
	MOVQ i+16(FP), DI
	MOVQ s+24(FP), DX
	VBROADCASTI128 (DX), Y13   // s.first
	VBROADCASTI128 16(DX), Y14 // s.second
	SUBQ $33, R8
	CMPQ DI, R8
	JGT  end

pairs:
	VMOVDQU (SI)(DI*1), Y0
	VMOVDQU 1(SI)(DI*1), Y1
	VPSHUFB Y0, Y13, Y2
	VPSHUFB Y1, Y14, Y3
	VPCMPEQB Y0, Y2, Y2
	VPCMPEQB Y1, Y3, Y3
	VPAND Y2, Y3, Y2
	VPMOVMSKB Y2, AX
	TESTL AX, AX
	JNZ  pair
	ADDQ $32, DI
	CMPQ DI, R8
	JLE  pairs
	JMP  end

pair:
	BSFL AX, AX
	ADDQ AX, DI

end:
	MOVQ DI, ret+32(FP)
	VZEROUPPER
	RET
