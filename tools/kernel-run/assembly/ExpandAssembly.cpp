//===- ExpandAssembly.cpp - PTX text in IR becomes IR ---------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/kernel-run/assembly/ExpandAssembly.h"
#include "ptx/text/PtxParser.h"
#include "tools/kernel-run/assembly/AssemblyExpander.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;
using namespace unravel;
using ptx::Operand;

// 1. Operands.

static std::string nameOf(unsigned Number) {
  return ("%operand" + Twine(Number)).str();
}

/// `$3` and `${3:x}` as names, `$$` as a dollar. Empty for anything else.
static std::string withNames(StringRef Text) {
  std::string Result;
  while (!Text.empty()) {
    size_t Dollar = Text.find('$');
    Result += Text.take_front(Dollar);
    if (Dollar == StringRef::npos)
      break;
    Text = Text.drop_front(Dollar + 1);
    if (Text.consume_front("$")) {
      Result += '$';
      continue;
    }
    bool HasBraces = Text.consume_front("{");
    unsigned Number;
    if (Text.consumeInteger(10, Number))
      return {};
    if (HasBraces) {
      size_t End = Text.find('}');
      if (End == StringRef::npos)
        return {};
      Text = Text.drop_front(End + 1);
    }
    Result += nameOf(Number);
  }
  return Result;
}

bool AssemblyExpander::bindOperands() {
  auto *Asm = cast<InlineAsm>(Call.getCalledOperand());
  unsigned Argument = 0, Number = 0;
  auto ResultType = [&](unsigned I) {
    auto *Struct = dyn_cast<StructType>(Call.getType());
    return Struct ? Struct->getElementType(I) : Call.getType();
  };
  for (const InlineAsm::ConstraintInfo &C : Asm->ParseConstraints()) {
    if (C.Type == InlineAsm::isClobber)
      continue;
    if (C.Type == InlineAsm::isLabel || C.isIndirect)
      return false;
    if (C.Type == InlineAsm::isOutput) {
      Types[nameOf(Number)] = ResultType(Outputs.size());
      Outputs.push_back(nameOf(Number++));
      continue;
    }
    Value *V = Call.getArgOperand(Argument++);
    // One that shares the register of a result.
    unsigned Tied;
    std::string Name = nameOf(Number++);
    if (C.Codes.size() == 1 && !StringRef(C.Codes[0]).getAsInteger(10, Tied))
      Values[nameOf(Tied)] = V;
    Values[Name] = V;
    Types[Name] = V->getType();
  }
  return true;
}

Value *AssemblyExpander::results() {
  auto Result = [&](unsigned I) {
    Type *Ty = Types.lookup(Outputs[I]);
    Value *V = Values.lookup(Outputs[I]);
    return V ? convert(V, Ty) : Constant::getNullValue(Ty);
  };
  if (Outputs.empty())
    return nullptr;
  if (!isa<StructType>(Call.getType()))
    return Result(0);
  Value *All = PoisonValue::get(Call.getType());
  for (unsigned I = 0; I != Outputs.size(); ++I)
    All = B.CreateInsertValue(All, Result(I), I);
  return All;
}

Type *AssemblyExpander::typeOf(const ptx::Type &T) const {
  if (T.isFloat())
    return T.Width == 64 ? Type::getDoubleTy(Context)
                         : Type::getFloatTy(Context);
  return IntegerType::get(Context, T.Width);
}

/// The same bits, or as many of them as there is room for.
Value *AssemblyExpander::convert(Value *V, Type *Ty, bool IsSigned) {
  Type *From = V->getType();
  if (From == Ty)
    return V;
  if (From->isPointerTy())
    return Ty->isPointerTy()
               ? B.CreateAddrSpaceCast(V, Ty)
               : convert(B.CreatePtrToInt(V, B.getInt64Ty()), Ty, IsSigned);
  if (Ty->isPointerTy())
    return B.CreateIntToPtr(convert(V, B.getInt64Ty()), Ty);
  Type *FromBits = B.getIntNTy(From->getPrimitiveSizeInBits());
  Type *ToBits = B.getIntNTy(Ty->getPrimitiveSizeInBits());
  V = B.CreateBitCast(V, FromBits);
  V = IsSigned ? B.CreateSExtOrTrunc(V, ToBits)
               : B.CreateZExtOrTrunc(V, ToBits);
  return B.CreateBitCast(V, Ty);
}

Value *AssemblyExpander::find(const Operand &O) const {
  return O.isName() ? Values.lookup(O.Name) : nullptr;
}

bool AssemblyExpander::canRead(const Operand &O) const {
  if (O.K == Operand::Kind::Integer || O.K == Operand::Kind::Float)
    return true;
  if (O.K == Operand::Kind::Not)
    return canRead(O.Parts[0]);
  return O.isName() && Types.contains(O.Name);
}

Value *AssemblyExpander::read(const Operand &O, Type *Ty) {
  if (O.K == Operand::Kind::Integer)
    return convert(B.getInt64(O.Value), Ty);
  if (O.K == Operand::Kind::Float)
    return convert(B.getIntN(O.Width, O.Value), Ty);
  Value *V = Values.lookup(O.Name);
  // PTX does not say what a register without a value holds.
  return V ? convert(V, Ty) : Constant::getNullValue(Ty);
}

Value *AssemblyExpander::readPredicate(const Operand &O) {
  if (O.K == Operand::Kind::Not)
    return B.CreateNot(readPredicate(O.Parts[0]));
  return read(O, B.getInt1Ty());
}

void AssemblyExpander::write(const Operand &O, Value *V, bool IsSigned) {
  if (O.Name == "_")
    return;
  Type *Ty = Types.lookup(O.Name);
  V = convert(V, Ty ? Ty : V->getType(), IsSigned);
  if (Guard)
    V = B.CreateSelect(Guard, V, read(O, V->getType()));
  Values[O.Name] = V;
  Types[O.Name] = V->getType();
}

Value *AssemblyExpander::callIntrinsic(Intrinsic::ID ID,
                                       ArrayRef<Value *> Arguments) {
  return B.CreateCall(Intrinsic::getOrInsertDeclaration(Call.getModule(), ID),
                      Arguments);
}

// 2. Instructions.

/// The letter for an operand of type \p Ty in inline assembly.
static StringRef constraintFor(Type *Ty) {
  if (Ty->isFloatTy())
    return "f";
  if (Ty->isDoubleTy())
    return "d";
  switch (Ty->isPointerTy() ? 64 : Ty->getPrimitiveSizeInBits()) {
  case 1:
    return "b";
  case 16:
    return "h";
  case 32:
    return "r";
  default:
    return "l";
  }
}

/// `op $0, $1, ...`: the first operand is what it writes.
void AssemblyExpander::expandAsText(const Instruction &I) {
  std::optional<ptx::Type> Last = I.type();
  SmallVector<Value *, 4> Arguments;
  SmallVector<Type *, 4> ArgumentTypes;
  std::string Operands = I.Operands.empty() ? "" : " $0", Constraints;
  Type *Ty = B.getVoidTy();
  if (!I.Operands.empty()) {
    const Operand &To = I.Operands.front();
    Ty = To.isName() ? Types.lookup(To.Name) : nullptr;
    if (!Ty)
      Ty = Last ? typeOf(*Last) : B.getInt32Ty();
    Constraints = ("=" + constraintFor(Ty)).str();
    for (const Operand &O : ArrayRef(I.Operands).drop_front()) {
      if (O.isName() && !Types.contains(O.Name)) {
        Operands += (", " + O.Name).str(); // a special register
        continue;
      }
      Value *V = find(O);
      if (!V)
        V = read(O, Last ? typeOf(*Last) : B.getInt32Ty());
      Arguments.push_back(V);
      ArgumentTypes.push_back(V->getType());
      Operands += (", $" + Twine(Arguments.size())).str();
      Constraints += ("," + constraintFor(V->getType())).str();
    }
  }
  auto *Asm = InlineAsm::get(FunctionType::get(Ty, ArgumentTypes, false),
                             (I.Opcode + Operands + ";").str(), Constraints,
                             /*hasSideEffects=*/true);
  Value *V = B.CreateCall(Asm, Arguments);
  if (!I.Operands.empty() && I.Operands.front().isName())
    write(I.Operands.front(), V);
}

void AssemblyExpander::expand(const Instruction &I) {
  Guard = nullptr;
  if (!I.Predicate.empty()) {
    Operand Predicate;
    Predicate.K = Operand::Kind::Name;
    Predicate.Name = I.Predicate;
    Guard = readPredicate(Predicate);
    if (I.IsNegated)
      Guard = B.CreateNot(Guard);
  }
  if (!expandMemory(I) && !expandMove(I) && !expandCompare(I) &&
      !expandConversion(I) && !expandPacked(I) && !expandInteger(I) &&
      !expandSynchronization(I))
    expandAsText(I);
}

bool AssemblyExpander::run() {
  auto *Asm = cast<InlineAsm>(Call.getCalledOperand());
  std::string Named = withNames(Asm->getAsmString());
  if (Named.empty() || !bindOperands())
    return false;
  Text = (".version 9.0\n.target sm_90a\n.address_size 64\n.entry text()\n{\n" +
          Named + "\n}\n");
  Expected<ptx::Module> M = ptx::parseModule(Text, "assembly");
  if (!M) {
    consumeError(M.takeError());
    return false;
  }
  const ptx::Function *F = M->find("text");
  for (const ptx::Statement &S : F->Body)
    if (auto *R = S.as<ptx::Registers>()) {
      for (const ptx::Registers::Entry &E : R->Entries)
        if (!E.Count && R->Lanes == 1)
          Types[E.Name] = typeOf(R->Of);
    } else if (!S.as<ptx::Instruction>() && !S.as<ptx::Scope>()) {
      return false;
    }
  for (const ptx::Statement &S : F->Body)
    if (auto *I = S.as<ptx::Instruction>())
      expand(*I);
  if (Value *V = results()) {
    V->takeName(&Call);
    Call.replaceAllUsesWith(V);
  }
  Call.eraseFromParent();
  return true;
}

// 3. Modules.

static bool isAssembly(const llvm::Instruction &I) {
  auto *Call = dyn_cast<CallInst>(&I);
  return Call && Call->isInlineAsm();
}

bool unravel::hasAssembly(const Module &M) {
  return any_of(
      M, [](const Function &F) { return any_of(instructions(F), isAssembly); });
}

void unravel::expandAssembly(Module &M) {
  for (Function &F : M) {
    SmallVector<CallInst *, 16> Calls;
    for (llvm::Instruction &I : instructions(F))
      if (isAssembly(I))
        Calls.push_back(cast<CallInst>(&I));
    for (CallInst *Call : Calls)
      AssemblyExpander(*Call).run();
  }
}
