//===- LiftText.cpp - Instructions that stay text -------------------------===//
//
// Part of Unravel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An instruction that is not modelled becomes inline assembly: its own text,
// with operands in place of registers. LLVM has to know which registers it
// writes and what else it does; the tables below say that, and an instruction
// that is in none of them makes the kernel stay as it is.
//
//===----------------------------------------------------------------------===//

#include "ptx/lift/Lifter.h"
#include "ptx/text/PtxPrinter.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/InlineAsm.h"

using namespace llvm;
using namespace unravel;
using namespace unravel::ptx;

//===----------------------------------------------------------------------===//
// What instructions do
//===----------------------------------------------------------------------===//

namespace {

enum class Effect {
  Unknown,
  Pure,    ///< writes its first operand, and that depends on the others alone
  Reads,   ///< the same, and it depends on memory
  Any,     ///< whatever it does besides writing its first operand
  NoResult ///< whatever it does; it writes no register
};

} // namespace

static Effect effectByBase(StringRef Base) {
  return StringSwitch<Effect>(Base)
      .Cases({"add", "sub", "mul", "fma", "mad", "div", "rcp", "sqrt", "rsqrt"},
             Effect::Pure)
      .Cases({"sin", "cos", "lg2", "ex2", "tanh", "neg", "abs", "min", "max"},
             Effect::Pure)
      .Cases({"cvt", "copysign", "testp", "set", "setp", "selp", "slct"},
             Effect::Pure)
      .Cases({"lop3", "bfe", "bfi", "bfind", "fns", "popc", "clz", "brev"},
             Effect::Pure)
      .Cases({"prmt", "sad", "mul24", "mad24", "dp2a", "dp4a", "szext", "bmsk",
              "shf"},
             Effect::Pure)
      .Cases({"isspacep", "createpolicy", "and", "or", "xor", "not", "shl",
              "shr", "cnot"},
             Effect::Pure)
      .Cases({"rem", "mma", "getctarank", "mapa"}, Effect::Pure)
      .Cases({"tex", "tld4", "txq", "suld", "suq", "ldmatrix"}, Effect::Reads)
      .Cases({"ldu", "shfl", "vote", "match", "activemask", "redux", "elect"},
             Effect::Any)
      .Cases({"atom", "mov"}, Effect::Any)
      .Cases({"st", "red", "call", "bar", "barrier", "membar", "fence",
              "stmatrix", "prefetch", "prefetchu"},
             Effect::NoResult)
      .Cases({"griddepcontrol", "nanosleep", "trap", "brkpt", "discard",
              "applypriority", "setmaxnreg", "sust", "sured", "cp", "pmevent"},
             Effect::NoResult)
      .Default(Effect::Unknown);
}

static bool readsCarry(const ptx::Instruction &I) {
  return is_contained({"addc", "subc", "madc"}, I.base());
}

/// Whether it writes or reads the carry.
static bool usesCarry(const ptx::Instruction &I) {
  return I.has("cc") || readsCarry(I);
}

static bool hasMemoryOrder(const ptx::Instruction &I) {
  return I.has("volatile") || I.has("relaxed") || I.has("acquire") ||
         I.has("release") || I.has("mmio");
}

/// \p IsInGroup: the instruction stands in one text with its neighbours.
static Effect effectOf(const ptx::Instruction &I, bool IsInGroup) {
  StringRef Base = I.base();
  // What carries is a chain: one group.
  if (usesCarry(I))
    return IsInGroup ? Effect::Pure : Effect::Unknown;
  if (Base == "call" && !IsInGroup)
    return Effect::Unknown;
  if (Base == "ld") {
    if (hasMemoryOrder(I))
      return Effect::Any;
    // Memory that does not change is as good as an operand.
    return I.has("nc") ? Effect::Pure : Effect::Reads;
  }
  if (Base == "mbarrier")
    return StringSwitch<Effect>(I.Words.size() > 1 ? I.Words[1] : "")
        .Cases({"init", "inval", "expect_tx", "complete_tx"}, Effect::NoResult)
        .Cases({"arrive", "arrive_drop", "test_wait", "try_wait"}, Effect::Any)
        .Default(Effect::Unknown);
  // Barriers that answer: bar.red.popc.u32 d, a, p.
  if ((Base == "bar" || Base == "barrier") && I.has("red"))
    return Effect::Any;
  return effectByBase(Base);
}

/// Threads of a warp take part in it together: LLVM must not make it depend on
/// more conditions.
static bool isConvergent(StringRef Base) {
  return StringSwitch<bool>(Base)
      .Cases({"bar", "barrier", "shfl", "vote", "match", "activemask", "redux",
              "elect"},
             true)
      .Cases({"mma", "ldmatrix", "stmatrix", "griddepcontrol", "setmaxnreg",
              "tex"},
             true)
      .Default(false);
}

/// What these do is between the threads of a warp, and not in memory.
static bool dependsOnThreadsAlone(StringRef Base) {
  return is_contained({"shfl", "vote", "match", "activemask", "redux", "elect"},
                      Base);
}

static char constraintOf(llvm::Type *Ty) {
  if (Ty->isFloatTy())
    return 'f';
  if (Ty->isDoubleTy())
    return 'd';
  if (Ty->isPointerTy())
    return 'l';
  switch (Ty->getIntegerBitWidth()) {
  case 1:
    return 'b';
  case 16:
    return 'h';
  case 32:
    return 'r';
  case 64:
    return 'l';
  case 128:
    return 'q';
  }
  return 0;
}

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

static bool isOther(const Operand &O) {
  return O.K == Operand::Kind::Other || any_of(O.Parts, isOther);
}

/// Text that the parser did not look into: \p Rename gives what stands for each
/// word.
static std::string replaceWords(StringRef Text, NameMap Rename) {
  auto IsPart = [](char C) {
    return isAlnum(C) || C == '_' || C == '$' || C == '%' || C == '.';
  };
  std::string Result;
  while (!Text.empty()) {
    StringRef Word = Text.take_while(IsPart);
    if (Word.empty())
      Result += Text.front();
    else
      Result += isDigit(Word[0]) ? Word.str() : Rename(Word);
    Text = Text.drop_front(std::max<size_t>(Word.size(), 1));
  }
  return Result;
}

static void printOperand(const Operand &O, NameMap Rename, raw_ostream &OS) {
  if (isOther(O))
    OS << replaceWords(O.Text, Rename);
  else
    print(O, Rename, OS);
}

/// Calls \p Visit for the names in \p O; an address that is a name is told
/// apart.
static void
forEachName(const Operand &O,
            function_ref<void(StringRef Name, bool IsAddress)> Visit) {
  if (isOther(O)) {
    replaceWords(O.Text, [&](StringRef Word) {
      Visit(Word, /*IsAddress=*/false);
      return std::string();
    });
    return;
  }
  if (!O.Name.empty())
    Visit(O.Name, O.K == Operand::Kind::Address);
  for (const Operand &Part : O.Parts)
    forEachName(Part, Visit);
}

/// `$` begins an operand in inline assembly.
static std::string escaped(StringRef Text) {
  std::string Result;
  for (char C : Text)
    Result += C == '$' ? std::string("$$") : std::string(1, C);
  return Result;
}

//===----------------------------------------------------------------------===//
// Inline assembly
//===----------------------------------------------------------------------===//

namespace unravel::ptx {

/// One piece of inline assembly: operands are numbered, results first.
class Assembly {
public:
  explicit Assembly(LLVMContext &Context) : Context(Context) {}

  /// \p Mark is "=", or "=&" for a result that is written before the last
  /// operand is read.
  void addResult(StringRef Name, llvm::Type *Ty, StringRef Mark) {
    Numbers[Name] = ResultTypes.size();
    Results.push_back(Name);
    ResultTypes.push_back(Ty);
    addConstraint(Mark + Twine(constraintOf(Ty)));
  }
  unsigned addArgument(Value *V) {
    return addArgument(V, Twine(constraintOf(V->getType())));
  }
  /// An argument in the register of a result.
  void addTied(unsigned Result, Value *V) { addArgument(V, Twine(Result)); }
  unsigned number(StringRef Name) const { return Numbers.lookup(Name); }
  /// What is added from now on are other operands, whatever their names.
  void forgetNames() { Numbers.clear(); }
  void addNamed(StringRef Name, Value *V, bool IsAddress) {
    (IsAddress ? AddressNumbers : Numbers)[Name] = addArgument(V);
  }
  bool hasName(StringRef Name, bool IsAddress) const {
    return (IsAddress ? AddressNumbers : Numbers).count(Name);
  }
  std::string renamed(StringRef Name, bool IsAddress) const {
    auto &From = IsAddress ? AddressNumbers : Numbers;
    auto It = From.find(Name);
    return It == From.end() ? escaped(Name) : "$" + utostr(It->second);
  }
  void clobberMemory() { addConstraint("~{memory}"); }
  ArrayRef<StringRef> results() const { return Results; }

  CallInst *create(IRBuilder<> &B, StringRef Text, bool HasSideEffects) const {
    llvm::Type *ResultType =
        ResultTypes.empty()       ? llvm::Type::getVoidTy(Context)
        : ResultTypes.size() == 1 ? ResultTypes.front()
                                  : StructType::get(Context, ResultTypes);
    SmallVector<llvm::Type *, 8> Types;
    for (Value *V : Arguments)
      Types.push_back(V->getType());
    CallInst *Call =
        B.CreateCall(InlineAsm::get(FunctionType::get(ResultType, Types, false),
                                    Text, Constraints, HasSideEffects),
                     Arguments);
    Call->addFnAttr(Attribute::NoUnwind);
    return Call;
  }

private:
  void addConstraint(const Twine &C) {
    Constraints += (Constraints.empty() ? C : "," + C).str();
  }
  unsigned addArgument(Value *V, const Twine &Constraint) {
    addConstraint(Constraint);
    Arguments.push_back(V);
    return ResultTypes.size() + Arguments.size() - 1;
  }

  LLVMContext &Context;
  std::string Constraints;
  SmallVector<StringRef, 4> Results;
  SmallVector<llvm::Type *, 4> ResultTypes;
  SmallVector<Value *, 8> Arguments;
  /// A register that holds an address is another operand than the same
  /// register as a number.
  StringMap<unsigned> Numbers, AddressNumbers;
};

} // namespace unravel::ptx

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
    if (Name.starts_with("%") && !isSpecialRegister(Name))
      refuse("operand '" + Name + "' of '" + I.Opcode + "'");
    return;
  }
  Value *V = nullptr;
  switch (S->K) {
  case Symbol::Kind::Global:
    return; // The name stays.
  case Symbol::Kind::Register:
    V = B.CreateLoad(S->Ty, S->V);
    break;
  case Symbol::Kind::Local:
    V = B.CreatePtrToInt(S->V, intType(64));
    break;
  case Symbol::Kind::Parameter:
    return refuse("parameter '" + Name + "' in '" + I.Opcode + "'");
  }
  // As a pointer, so that it is seen as what it is: the address of an access.
  if (IsAddress && V->getType()->isIntegerTy(64) &&
      addressSpaceOf(I).value_or(0) == 1)
    V = B.CreateIntToPtr(V, PointerType::get(Context, 1));
  if (!constraintOf(V->getType()))
    return refuse("operand '" + Name + "' of '" + I.Opcode + "'");
  Asm.addNamed(Name, V, IsAddress);
}

void Lifter::writeResults(const Assembly &Asm, CallInst *Call) {
  for (auto [Number, Name] : enumerate(Asm.results())) {
    Value *V = Call->getType()->isStructTy()
                   ? B.CreateExtractValue(Call, Number)
                   : Call;
    B.CreateStore(V, lookUp(Name)->V);
  }
}

void Lifter::liftAsText(const ptx::Instruction &I) {
  Effect E = effectOf(I, /*IsInGroup=*/false);
  if (E == Effect::Unknown)
    return refuse("instruction '" + I.Opcode + "'");
  bool ReadsClock = any_of(I.Operands, [](const Operand &O) {
    return O.Name.starts_with("%clock") || O.Name.starts_with("%globaltimer");
  });
  if (I.base() == "mov" && !ReadsClock) {
    if (!isSpecialRegister(I.Operands.back().Name))
      return refuse("instruction '" + I.Opcode + " ..., " +
                    I.Operands.back().Text + "'");
    E = Effect::Pure;
  }
  bool HasResult = E != Effect::NoResult && !I.Operands.empty();
  ArrayRef<Operand> Sources = ArrayRef(I.Operands).drop_front(HasResult);

  Assembly Asm(Context);
  if (HasResult) {
    const Operand &To = I.Operands[0];
    if (isOther(To) || To.K == Operand::Kind::Address)
      return refuse("destination '" + To.Text + "' of '" + I.Opcode + "'");
    forEachName(To, [&](StringRef Name, bool) {
      if (Name != "_" && !Asm.hasName(Name, false))
        addResult(Asm, Name, "=");
    });
  }
  if (isRefused())
    return;
  // What is a result and an operand, too, is two operands of the assembly.
  Assembly Inputs = Asm;
  Inputs.forgetNames();
  // Where the guard does not hold, the register keeps its value.
  if (Guard)
    for (StringRef Name : Asm.results()) {
      const Symbol *S = lookUp(Name);
      Inputs.addTied(Asm.number(Name), B.CreateLoad(S->Ty, S->V));
    }
  for (const Operand &O : Sources)
    forEachName(O, [&](StringRef Name, bool IsAddress) {
      addInput(Inputs, Name, IsAddress, I);
    });
  if (isRefused())
    return;

  std::string Text;
  raw_string_ostream OS(Text);
  if (Guard)
    OS << "@$" << Inputs.addArgument(Guard) << ' ';
  OS << I.Opcode;
  for (const Operand &O : I.Operands) {
    bool IsFirst = &O == I.Operands.begin();
    const Assembly &Names = HasResult && IsFirst ? Asm : Inputs;
    OS << (IsFirst ? " " : ", ");
    printOperand(
        O,
        [&](StringRef Name) {
          return Names.renamed(Name, O.K == Operand::Kind::Address);
        },
        OS);
  }
  OS << ';';

  bool HasSideEffects = E == Effect::Any || E == Effect::NoResult;
  // For the backend, which does not look at the attributes of the call, what
  // reads memory has to clobber it: two loads are not one.
  if (E == Effect::Reads ||
      (HasSideEffects && !dependsOnThreadsAlone(I.base())))
    Inputs.clobberMemory();
  CallInst *Call = Inputs.create(B, Text, HasSideEffects);
  if (isConvergent(I.base()))
    Call->addFnAttr(Attribute::Convergent);
  if (E == Effect::Pure)
    Call->setDoesNotAccessMemory();
  else if (E == Effect::Reads)
    Call->setOnlyReadsMemory();
  writeResults(Inputs, Call);
}

//===----------------------------------------------------------------------===//
// Groups
//===----------------------------------------------------------------------===//

/// A call stands in braces with the declarations of its parameters; additions
/// with carry stand behind each other.
size_t Lifter::sizeOfGroup(size_t At) const {
  ArrayRef<Statement> Rest = ArrayRef(K.Body).drop_front(At);
  if (auto *Braces = Rest.front().as<Scope>(); Braces && Braces->Begins) {
    unsigned Depth = 0;
    bool HasParameter = false;
    for (auto [Number, S] : enumerate(Rest)) {
      if (auto *Inner = S.as<Scope>()) {
        Depth += Inner->Begins ? 1 : -1;
        if (Depth == 0)
          return HasParameter ? Number + 1 : 0;
      }
      // Of this scope itself: a scope around it is lifted.
      auto *V = S.as<Variables>();
      HasParameter |= Depth == 1 && V && V->All.front().Space == "param";
    }
    return 0;
  }
  auto *First = Rest.front().as<ptx::Instruction>();
  // One that begins with a carry is the rest of a chain that something
  // interrupts: it is refused.
  if (!First || !First->has("cc") || readsCarry(*First))
    return 0;
  size_t Size = 0;
  for (auto [Number, S] : enumerate(Rest)) {
    auto *I = S.as<ptx::Instruction>();
    if (S.as<Location>())
      continue;
    if (!I || !usesCarry(*I) || !I->Predicate.empty())
      break;
    Size = Number + 1;
    if (!I->has("cc"))
      break;
  }
  return Size;
}

void Lifter::liftAsText(ArrayRef<const Statement *> Group) {
  Assembly Asm(Context);
  // Registers that are declared in the group belong to its text.
  StringSet<> Own;
  SetVector<StringRef> Written, ReadFirst;
  bool IsCall = false, IsConvergentGroup = false;
  for (const Statement *S : Group) {
    if (auto *R = S->as<Registers>())
      for (const Registers::Entry &E : R->Entries) {
        if (E.Count)
          return refuse("a range of registers inside of a call");
        Own.insert(E.Name);
      }
    auto *I = S->as<ptx::Instruction>();
    if (!I)
      continue;
    Effect E = effectOf(*I, /*IsInGroup=*/true);
    if (E == Effect::Unknown)
      return refuse("instruction '" + I->Opcode + "'");
    IsCall |= I->base() == "call";
    IsConvergentGroup |= isConvergent(I->base());
    bool HasResult = E != Effect::NoResult && !I->Operands.empty();
    auto Read = [&](StringRef Name, bool) {
      if (!Own.count(Name) && !Written.contains(Name))
        ReadFirst.insert(Name);
    };
    if (!I->Predicate.empty())
      Read(I->Predicate, false);
    for (const Operand &O : ArrayRef(I->Operands).drop_front(HasResult))
      forEachName(O, Read);
    if (HasResult)
      forEachName(I->Operands[0], [&](StringRef Name, bool IsAddress) {
        // A result under a guard is what it was where the guard does not hold.
        if (!I->Predicate.empty())
          Read(Name, IsAddress);
        if (!Own.count(Name) && Name != "_")
          Written.insert(Name);
      });
  }
  for (StringRef Name : Written)
    addResult(Asm, Name, "=&");
  if (isRefused())
    return;
  static const ptx::Instruction Nothing;
  for (StringRef Name : ReadFirst) {
    if (!Written.contains(Name)) {
      addInput(Asm, Name, /*IsAddress=*/false, Nothing);
      continue;
    }
    const Symbol *S = lookUp(Name);
    Asm.addTied(Asm.number(Name), B.CreateLoad(S->Ty, S->V));
  }
  if (isRefused())
    return;

  auto Rename = [&](StringRef Name) { return Asm.renamed(Name, false); };
  std::string Text;
  raw_string_ostream OS(Text);
  for (const Statement *S : Group) {
    if (auto *I = S->as<ptx::Instruction>()) {
      if (!I->Predicate.empty())
        OS << '@' << (I->IsNegated ? "!" : "") << Rename(I->Predicate) << ' ';
      OS << I->Opcode;
      for (const Operand &O : I->Operands) {
        OS << (&O == I->Operands.begin() ? " " : ", ");
        printOperand(O, Rename, OS);
      }
      OS << ';';
    } else if (auto *L = S->as<Label>()) {
      // Only the name of a prototype.
      if (!L->Name.starts_with("prototype_"))
        return refuse("label '" + L->Name + "' inside of a call");
      OS << escaped(S->Text);
    } else if (!S->as<Location>()) {
      OS << escaped(S->Text);
    }
    OS << (S == Group.back() ? "" : " ");
  }
  if (IsCall)
    Asm.clobberMemory();
  CallInst *Call = Asm.create(B, Text, /*HasSideEffects=*/IsCall);
  if (IsCall || IsConvergentGroup)
    Call->addFnAttr(Attribute::Convergent);
  else
    Call->setDoesNotAccessMemory();
  writeResults(Asm, Call);
}
