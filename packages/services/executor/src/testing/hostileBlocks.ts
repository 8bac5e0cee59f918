// Run as a separate program by `hostileBlocks.process.test.ts`: threads run compiled modules only.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Block, decodeBlock, encodeBlock, findDialect, type ProcessedDeploy, rnode } from "@vedette/protocol";
import { ownChain, recordedBlocks } from "@vedette/testing";
import { startExecutorThread } from "../executor/executor.js";

/** So that a program which takes all of it is quick to. */
const smallHeapMb = 160;
/** Where the parser is compiled to fast code, which takes half the stack, 256 MB are nearly enough for what is too deep. */
const smallStackMb = 64;
const deep = 900_000;

const programs: Readonly<Record<string, string>> = {
  tooLarge: `@0!([${Array(1 << 20)
    .fill("[1]")
    .join(",")}])`,
  // Few enough tokens, and still more than this heap holds.
  heavy: `@0!([${Array(200_000).fill("[1]").join(",")}])`,
  tooDeep: `@0!(${"(".repeat(deep)}`,
  doubling: `match "${"ab".repeat(1 << 20)}" { x0 => { ${doublings(12)} } }`,
  malformed: "new x in {",
};

/** Without COMMs, which a replay takes from the block: each match binds twice what the one before did. */
function doublings(count: number): string {
  let program = "Nil";
  for (let i = count; i > 0; i -= 1) program = `match x${i - 1} ++ x${i - 1} { x${i} => { ${program} } }`;
  return program;
}

const [chain = ownChain, dialectName = rnode.name] = process.argv.slice(2);
const { name: dialect, blockForm: form } = findDialect(dialectName)!;
const path = mkdtempSync(join(tmpdir(), "vedette-executor-"));
const executor = startExecutorThread(
  { stateDirectory: path, dialect },
  { heapSizeMb: smallHeapMb, stackSizeMb: smallStackMb },
);
const genesis = decodeBlock(recordedBlocks(chain)[0]!.bytes, form);
const preState = await executor.makeEmptyState();

const replay = async (block: Block): Promise<string> => {
  try {
    const answer = await executor.replay({ block: encodeBlock(block), preState, invalidBlocks: [] });
    if (answer.kind === "replayed") return "replayed";
    const kind = answer.kind === "exception" && answer.isLimit ? "beyond limits" : answer.kind;
    return `${kind}: ${answer.message}`;
  } catch (error) {
    return String(error);
  }
};

/** Genesis with another program in its first deploy, which is free of charge. */
function withProgram(term: string): Block {
  const deploys = genesis.body.deploys.map((one, index): ProcessedDeploy => {
    return index === 0 ? { ...one, deploy: { ...one.deploy, term, phloLimit: 2n ** 62n } } : one;
  });
  return new Block({ ...genesis, body: { ...genesis.body, deploys } });
}

for (const [name, term] of Object.entries(programs)) {
  const outcome = await replay(withProgram(term));
  const next = await replay(genesis);
  const isKept = await executor.hasRoot(genesis.body.state.postStateHash);
  process.stdout.write(`${JSON.stringify({ name, outcome: outcome.slice(0, 200), next, isKept })}\n`);
}
await executor[Symbol.asyncDispose]();
rmSync(path, { recursive: true });
