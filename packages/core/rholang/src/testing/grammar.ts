/**
 * The grammar of chapter 20 §3, written out as productions: the yardstick for the hand-written parser. Symbols are
 * parted by blanks, alternatives by ` || `; what has no line of its own is a token. `ε` is the empty alternative.
 *
 * @spec 20 §3
 */
const text = `
Proc: Proc | Proc1 || Proc1
Proc1: if ( Proc ) Proc2 || if ( Proc ) Proc2 else Proc1 || new NameDecls in Proc1 || Name !? ( Procs ) SyncCont || Proc2
SyncCont: . || ; Proc1
Proc2: contract Name ( Names NameRemainder ) = { Proc } || for ( Receipts ) { Proc } || select { Branches } || match Proc4 { Cases } || Bundle { Proc } || let Decl Decls in { Proc } || Proc3
Bundle: bundle+ || bundle- || bundle0 || bundle
Branches: Branch || Branch Branches
Branch: LinearBinds => Proc3
Cases: Case || Case Cases
Case: Proc13 => Proc3
Proc3: Name ! ( Procs ) || Name !! ( Procs ) || Proc4
Proc4: Proc4 or Proc5 || Proc5
Proc5: Proc5 and Proc6 || Proc6
Proc6: Proc7 matches Proc7 || Proc6 == Proc7 || Proc6 != Proc7 || Proc7
Proc7: Proc7 < Proc8 || Proc7 <= Proc8 || Proc7 > Proc8 || Proc7 >= Proc8 || Proc8
Proc8: Proc8 + Proc9 || Proc8 - Proc9 || Proc8 ++ Proc9 || Proc8 -- Proc9 || Proc9
Proc9: Proc9 * Proc10 || Proc9 / Proc10 || Proc9 % Proc10 || Proc9 %% Proc10 || Proc10
Proc10: not Proc10 || - Proc10 || Proc11
Proc11: Proc11 . identifier ( Procs ) || ( Proc4 ) || Proc12
Proc12: * Name || Proc13
Proc13: = identifier || = * identifier || Proc13 \\/ Proc14 || Proc14
Proc14: Proc14 /\\ Proc15 || Proc15
Proc15: ~ Proc15 || Proc16
Proc16: true || false || integer || string || uri || Collection || _ || identifier || Nil || SimpleType || { Proc }
SimpleType: Bool || Int || String || Uri || ByteArray
Collection: [ Procs ProcRemainder ] || ( Proc ,) || ( Proc , Procs ) || Set ( Procs ProcRemainder ) || { Pairs ProcRemainder }
Pairs: ε || Pair || Pair , Pairs
Pair: Proc : Proc
Procs: ε || Proc || Proc , Procs
ProcRemainder: ε || ... _ || ... identifier
Names: ε || Name || Name , Names
NameRemainder: ε || ... @ _ || ... @ identifier
Name: _ || identifier || @ Proc12
Receipts: Receipt || Receipt ; Receipts
Receipt: LinearBinds || RepeatedBinds || PeekBinds
LinearBinds: LinearBind || LinearBind & LinearBinds
LinearBind: Names NameRemainder <- NameSource
NameSource: Name || Name ?! || Name !? ( Procs )
RepeatedBinds: RepeatedBind || RepeatedBind & RepeatedBinds
RepeatedBind: Names NameRemainder <= Name
PeekBinds: PeekBind || PeekBind & PeekBinds
PeekBind: Names NameRemainder <<- Name
Decl: Names NameRemainder <- Procs
Decls: ε || ; SequentialDecls || & ConcurrentDecls
SequentialDecls: Decl || Decl ; SequentialDecls
ConcurrentDecls: Decl || Decl & ConcurrentDecls
NameDecls: NameDecl || NameDecl , NameDecls
NameDecl: identifier || identifier ( uri )
`;

/** Left-hand side → alternatives, each a list of symbols. */
export const productions: ReadonlyMap<string, readonly (readonly string[])[]> = new Map(
  text
    .trim()
    .split("\n")
    .map((line) => {
      const colon = line.indexOf(":");
      const alternatives = line.slice(colon + 1).split(" || ");
      return [
        line.slice(0, colon),
        alternatives.map((each) =>
          each
            .trim()
            .split(" ")
            .filter((symbol) => symbol !== "ε"),
        ),
      ] as const;
    }),
);

/** Every token that the grammar knows. */
export const terminals: readonly string[] = [
  ...new Set([...productions.values()].flat(2).filter((symbol) => !productions.has(symbol))),
];

interface Item {
  readonly left: string;
  readonly right: readonly string[];
  readonly dot: number;
  readonly origin: number;
}

/**
 * Runs Earley's recognizer.
 *
 * @returns the index of the first token with which no program begins that begins so; the number of tokens if they
 *   begin a program but are none; -1 if they are one
 */
export function firstOffender(tokens: readonly string[]): number {
  const sets: Item[][] = [complete([[]], 0, [{ left: "Start", right: ["Proc"], dot: 0, origin: 0 }])];
  for (let at = 0; at < tokens.length; at += 1) {
    const scanned = sets[at]!.filter((item) => item.right[item.dot] === tokens[at]).map((item) => ({
      ...item,
      dot: item.dot + 1,
    }));
    if (scanned.length === 0) return at;
    sets.push(complete(sets, at + 1, scanned));
  }
  return sets[tokens.length]!.some((item) => item.left === "Start" && item.dot === 1) ? -1 : tokens.length;
}

/** Closes a set of items under prediction and completion. */
function complete(sets: readonly Item[][], at: number, kernel: readonly Item[]): Item[] {
  const set: Item[] = [];
  const seen = new Set<string>();
  const emptied = new Set<string>();
  const add = (item: Item) => {
    const key = `${item.left}>${item.right.join(" ")}>${item.dot}>${item.origin}`;
    if (seen.has(key)) return;
    seen.add(key);
    set.push(item);
  };
  for (const item of kernel) add(item);
  for (let i = 0; i < set.length; i += 1) {
    const item = set[i]!;
    const next = item.right[item.dot];
    if (next === undefined) {
      if (item.origin === at) emptied.add(item.left);
      const from = item.origin === at ? set.slice() : sets[item.origin]!;
      for (const waiting of from)
        if (waiting.right[waiting.dot] === item.left) add({ ...waiting, dot: waiting.dot + 1 });
      continue;
    }
    for (const right of productions.get(next) ?? []) add({ left: next, right, dot: 0, origin: at });
    if (emptied.has(next)) add({ ...item, dot: item.dot + 1 });
  }
  return set;
}
