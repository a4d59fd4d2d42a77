//===- LiftText.cpp - Instructions that stay text -------------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An instruction that is not modelled becomes inline assembly: its own text,
// with operands in place of registers.
//
//===----------------------------------------------------------------------===//

#include "ptx/lift/Assembly.h"
#include "ptx/lift/Lifter.h"
#include "llvm/Support/NVPTXAddrSpace.h"

using namespace llvm;
using namespace unravel;
using namespace unravel::ptx;

void Lifter::addResult(Assembly &Asm, StringRef Name, StringRef Mark) {
  const Symbol *S = lookUp(Name);
  if (!S || S->K != Symbol::Kind::Register || !constraintOf(S->Ty))
    return refuse("destination '" + Name + "'");
  Asm.addResult(Name, S->Ty, Mark);
}

void Lifter::addInput(Assembly &Asm, StringRef Name, bool IsAddress,
                      const ptx::Instruction &I) {
  if (Asm.hasName(Name, IsAddress))
    return;
  const Symbol *S = lookUp(Name);
  if (!S) {
    // `x.b0` is a part of register x.
    if (lookUp(Name.split('.').first) ||
        (Name.starts_with("%") && !isSpecialRegister(Name)))
      refuse("operand '" + Name + "' of '" + I.Opcode + "'");
    return;
  }
  Value *V = nullptr;
  switch (S->K) {
  case Symbol::Kind::Global:
    return; // The name stays.
  case Symbol::Kind::Register:
    V = valueOf(*S);
    break;
  case Symbol::Kind::Local:
    V = B.CreatePtrToInt(S->V, intType(64));
    break;
  case Symbol::Kind::Parameter:
    return refuse("parameter '" + Name + "' in '" + I.Opcode + "'");
  }
  // As a pointer, so that it is seen as what it is: the address of an access.
  if (IsAddress && V->getType()->isIntegerTy(64) &&
      addressSpaceOf(I) == NVPTXAS::ADDRESS_SPACE_GLOBAL)
    V = B.CreateIntToPtr(
        V, PointerType::get(Context, NVPTXAS::ADDRESS_SPACE_GLOBAL));
  if (!constraintOf(V->getType()))
    return refuse("operand '" + Name + "' of '" + I.Opcode + "'");
  Asm.addNamed(Name, V, IsAddress);
}

void Lifter::writeResults(const Assembly &Asm, CallInst *Call) {
  for (auto [Number, Name] : enumerate(Asm.results())) {
    Value *V = Call->getType()->isStructTy()
                   ? B.CreateExtractValue(Call, Number)
                   : Call;
    setValue(*lookUp(Name), V);
  }
}

void Lifter::liftAsText(const ptx::Instruction &I) {
  Effect E = effectOf(I, /*IsInGroup=*/false);
  if (E == Effect::Unknown)
    return refuse("instruction '" + I.Opcode + "'");
  bool ReadsClock = any_of(I.Operands, [](const Operand &O) {
    return O.Name.starts_with("%clock") || O.Name.starts_with("%pm") ||
           O.Name.starts_with("%globaltimer");
  });
  if (I.base() == "mov" && !ReadsClock) {
    if (I.Operands.empty())
      return refuse("instruction '" + I.Opcode + "'");
    if (!isSpecialRegister(I.Operands.back().Name))
      return refuse("instruction '" + I.Opcode + " ..., " +
                    I.Operands.back().Text + "'");
    E = Effect::Pure;
  }
  OperandRoles Roles(I, E);

  Assembly Results(Context);
  if (const Operand *To = Roles.Result) {
    if (To->K == Operand::Kind::Other || To->K == Operand::Kind::Address)
      return refuse("destination '" + To->Text + "' of '" + I.Opcode + "'");
    forEachName(*To, [&](StringRef Name, bool) {
      if (Name != "_" && !Results.hasName(Name, false))
        addResult(Results, Name, "=");
    });
  }
  // What must not move across the instruction passes through it.
  for (StringRef Name : Async.passedBy(I))
    addResult(Results, Name, "=");
  if (isRefused())
    return;
  // What is a result and an operand, too, is two operands of the assembly.
  Assembly Inputs = Results;
  Inputs.forgetNames();
  // Where the guard does not hold, the register keeps its value, as do those
  // that pass.
  if (Guard || accumulates(I) || !Async.passedBy(I).empty())
    for (StringRef Name : Results.results()) {
      const Symbol *S = lookUp(Name);
      Inputs.addTied(Results.number(Name), valueOf(*S));
    }
  for (const Operand &O : Roles.Sources)
    forEachName(O, [&](StringRef Name, bool IsAddress) {
      addInput(Inputs, Name, IsAddress, I);
    });
  if (isRefused())
    return;

  std::string Text;
  raw_string_ostream OS(Text);
  if (Guard)
    OS << "@$" << Inputs.addArgument(Guard) << ' ';
  printText(
      I,
      [&](const Operand &In, StringRef Name) {
        const Assembly &Names = &In == Roles.Result ? Results : Inputs;
        return Names.renamed(Name, In.K == Operand::Kind::Address);
      },
      OS);
  TextEffects Effects;
  Effects.add(I, E);
  writeResults(Inputs, Inputs.create(B, Text, Effects));
}
