// Run as a program of its own by `hostilePrograms.test.ts`: threads run compiled modules only.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { toHex } from "@vedette/crypto";
import { openStateStore } from "../thread/executor.js";
import { ReaderPool } from "../thread/ReaderPool.js";
import { StateExecutor } from "../thread/StateExecutor.js";

const longestMs = 4_000;
/** For what does not mind its time: compiling. The pool adds two seconds before it ends a thread. */
const shortestMs = -1_500;
const depth = 100_000;

const nested = (open: string, inner: string, close = "") => `${open.repeat(depth)}${inner}${close.repeat(depth)}`;
const list = <T>(count: number, part: (i: number) => T, separator: string) =>
  Array.from({ length: count }, (_, i) => part(i)).join(separator);
const doubling = (seed: string, step: string) =>
  `new l in { contract l(@x, @n) = { match n { 0 => Nil _ => l!(${step}, n - 1) } } | l!(${seed}, 60) }`;

const programs: Readonly<Record<string, string>> = {
  malformed: "new x in {",
  notText: "\u0000\uffff\ud800",
  endless: "new l in { contract l(@n) = { l!(n + 1) } | l!(0) }",
  branching: "new l in { contract l(@n) = { l!(n + 1) | l!(n + 2) } | l!(0) }",
  persistentPair: "for (x <= @0) { Nil } | @0!!(1)",
  deepList: `@0!(${nested("[", "", "]")})`,
  deepTuple: `@0!(${nested("(1,", "1", ")")})`,
  deepNew: nested("new x in ", "Nil"),
  deepSend: nested("@0!(", "1", ")"),
  deepMatch: nested("match 1 { 1 => {", "Nil", "}}"),
  deepParentheses: `@0!(${nested("(", "1", ")")})`,
  deepNegation: `@0!(${nested("- ", "1")})`,
  deepSum: `new return in { return!(${nested("1+", "1")}) }`,
  deepMethods: `@0!([1]${nested(".slice(0,1)", "")})`,
  deepPattern: `for (@{${nested("[", "x", "]")}} <- @0) { Nil }`,
  deepNegatedPattern: `match 1 { ${nested("~", "1")} => Nil }`,
  deepBundle: nested("bundle+{", "Nil", "}"),
  deepQuotes: `${nested("@{*", "@1", "}")}!(1)`,
  deepReceive: nested("for (x <- @0) {", "Nil", "}"),
  deepAnswer: `new return in { return!(${nested("[", "", "]")}) }`,
  tooDeep: "(".repeat(900_000),
  manySends: list(50_000, () => "@0!(1)", "|"),
  tooLarge: `@0!([${list(600_000, () => "1", ",")}])`,
  longText: `@0!("${"a".repeat(40 << 20)}")`,
  doubledTexts: doubling('"12345678"', "x ++ x"),
  doubledBytes: doubling('"0123456789abcdef".hexToBytes()', "x ++ x"),
  doubledLists: doubling("[Nil]", "x ++ x"),
  doubledProcesses: doubling("{@0!()}", "{x | x}"),
  nestedLists: doubling("[1]", "[x, x]"),
  filledIn: `@0!((${list(2000, () => '"\u0024{a}"', " ++ ")}) %% {"a": "${"b".repeat(200_000)}"})`,
  longMatch: `match { ${list(30, (i) => `@${i}!(Nil)`, "|")} } { { ~{_ | 1} | ~{_ | 2} | {~{_ | 3} /\\ {@99!(_)}} } => Nil }`,
  overrun: `@0!(Set(${list(330_000, (i) => (i * 7919) % 330_001, ",")}))`,
};

const path = mkdtempSync(join(tmpdir(), "vedette-readers-"));
const store = openStateStore({ stateDirectory: path });
const executor = new StateExecutor(store);
const root = executor.makeEmptyState();
const pool = new ReaderPool({ stateDirectory: path, threads: 2, maxWaiting: 10 });
const nobody = new Uint8Array(65).fill(4);

async function explore(source: string, timeoutMs: number): Promise<string> {
  const call = { root, source, deployer: nobody, signature: nobody, timestamp: 0n, timeoutMs, form: "json" as const };
  try {
    const answer = await pool.call("explore", call, timeoutMs);
    if (answer.kind === "values") return `values ${answer.values.terms.join(",").length + 2}`;
    return answer.kind === "failed" ? answer.error : `stopped: ${answer.reason}`;
  } catch (error) {
    return String(error);
  }
}

const good = "new return in { return!(1 + 2) }";
const wanted = process.argv.slice(2);
for (const [name, source] of Object.entries(programs)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  const startMs = performance.now();
  const [outcome, beside] = await Promise.all([
    explore(source, name === "overrun" ? shortestMs : longestMs),
    explore(good, longestMs),
  ]);
  const elapsedMs = Math.round(performance.now() - startMs);
  const after = await explore(good, longestMs);
  process.stdout.write(`${JSON.stringify({ name, outcome: outcome.slice(0, 160), beside, after, elapsedMs })}\n`);
}
await pool[Symbol.asyncDispose]();
const isUntouched = toHex(executor.makeEmptyState()) === toHex(root) && store.table("roots").count() === 1;
process.stdout.write(`${JSON.stringify({ isUntouched })}\n`);
await store.close();
rmSync(path, { recursive: true });
