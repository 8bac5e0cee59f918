// Covers: chain, network, node
import { execFile } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { type NodeProcess, program } from "@vedette/cli/testing";
import { toHex } from "@vedette/crypto";
import type { Block } from "@vedette/protocol";
import { chainDirectory, recordedBlocks, slowness, until } from "@vedette/testing";
import { expect, test } from "vitest";
import { HostilePeer, type Signer, signedAs, signerOf } from "./HostilePeer.js";
import { oversizedBlocks } from "./oversizedBlocks.js";
import { RecordedNetwork } from "./recordedNetwork.js";

/** Chains of either node, of those beside the checkout. */
const chains = ["trio", "trio-r"];
/** The maximum pause of the main thread itself, on a quiet machine: on a busy one, 60 MB for a peer took 353. */
const maxPauseMs = 500;
/** How long the node is looked at after a block, so that what it does next counts, too. */
const watchedMs = 300;

interface Outcome {
  readonly hash: Uint8Array;
  readonly outcome: string;
}

const validators = ["v1", "v2", "v3"].map(signerOf);

test.each(chains)(`no single block of any signer blocks a node's event loop: %s`, async (chain) => {
  await using network = new RecordedNetwork(chain);
  const last = network.blocks().at(-1)!;
  const target = await network.serveMade((dataDir) => replayAllButLast(chain, dataDir), [], true);
  await using peer = await HostilePeer.connect(target, network);
  const bonded = validators.find(({ publicKey }) => toHex(publicKey) === toHex(last.sender))!;
  const signers: readonly (readonly [string, Signer, Block])[] = [
    ["a validator", bonded, last],
    ["a stranger", signerOf("stranger"), signedAs({ ...last, sequenceNumber: 0 }, signerOf("stranger"))],
  ];
  const tooLong: string[] = [];
  for (const [who, signer, good] of signers) {
    for (const index of oversizedBlocks(good, signer).keys()) {
      const [name] = oversizedBlocks(good, signer)[index]!;
      const hash = await measure(`${name} by ${who}`, async () => {
        const [, make, isUnreadable] = oversizedBlocks(good, signer)[index]!;
        return deliver(make(), isUnreadable === true);
      });
      if (!/^[36]0 MB/.test(name)) continue;
      await measure(`${name} by ${who}, asked for by a peer`, async () => {
        const outcome = who === "a validator" ? `${(await peer.fetch(hash)).length} bytes` : await refusal(hash);
        return { hash, outcome };
      });
      await measure(`${name} by ${who}, as JSON`, async () => {
        const { length } = await target.get(`/api/block/${toHex(hash)}`);
        return { hash, outcome: `${length} bytes` };
      });
    }
  }
  const { syncStatus } = JSON.parse(await target.get("/status"));
  expect(syncStatus).toMatchObject({ phase: "following", bestPeerBlockNumber: syncStatus.blockNumber });
  expect(tooLong).toEqual([]);

  /** A stranger's block is not kept. */
  async function refusal(hash: Uint8Array): Promise<string> {
    const before = target.lines.length;
    await peer.send("BlockRequest", { hash });
    const said = new RegExp(`request for block ${toHex(hash).slice(0, 10)}.*(No response given since block not found)`);
    const find = () => target.lines.slice(before).flatMap((line) => said.exec(line)?.[1] ?? [])[0];
    return until("the block is refused", find);
  }

  async function deliver(block: Block, isUnreadable: boolean): Promise<Outcome> {
    const before = await peer.announce(block);
    return { hash: block.hash, outcome: await outcomeOf(target, block, { before, isUnreadable }) };
  }

  async function measure(what: string, act: () => Promise<Outcome>): Promise<Uint8Array> {
    let shortest = Number.POSITIVE_INFINITY;
    let last = new Uint8Array(0);
    // Other programs take the machine's time as well: what a block costs it costs each time.
    const longest = maxPauseMs * slowness();
    for (let attempts = 0; shortest > longest && attempts < 4; attempts += 1) {
      const before = target.lines.length;
      const { hash, outcome } = await act();
      await sleep(watchedMs);
      const { delayMs, ownMs } = target.longestPause(before);
      shortest = Math.min(shortest, ownMs);
      last = Uint8Array.from(hash);
      console.log(`${String(ownMs).padStart(5)} ms own, ${String(delayMs).padStart(5)} ms in all: ${what}: ${outcome}`);
    }
    if (shortest > maxPauseMs * slowness()) tooLong.push(`${what}: ${shortest} ms`);
    return last;
  }
});

/** Returns the log line about a block. */
async function outcomeOf(
  target: NodeProcess,
  { hash }: Block,
  { before, isUnreadable }: { readonly before: number; readonly isUnreadable: boolean },
): Promise<string> {
  const name = toHex(hash).slice(0, 10);
  const isOutcome = (line: string) =>
    (line.includes(name) && /validated:|Dropped|To fetch|could not be processed/.test(line)) ||
    // An unreadable block has no name; another one may be delivered again meanwhile.
    (isUnreadable && line.includes("Could not extract"));
  const find = () => target.lines.slice(before).find(isOutcome);
  return JSON.parse(await until(`a word of ${name}`, find))
    .msg.replace(/ (from rnode|To fetch).*?(:|$)(?=[^:]*$)/, "")
    .slice(0, 160);
}

async function replayAllButLast(chain: string, dataDir: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "vedette-chain-"));
  cpSync(chainDirectory(chain), folder, { recursive: true });
  const lines = readFileSync(join(folder, "blocks.jsonl"), "utf8").trim().split("\n");
  const messages = recordedBlocks(chain).map(({ bytes }) => bytes);
  const kept = messages.slice(0, -1).reduce((length, { byteLength }) => length + 4 + byteLength, 0);
  writeFileSync(join(folder, "blocks.bin"), readFileSync(join(folder, "blocks.bin")).subarray(0, kept));
  writeFileSync(join(folder, "blocks.jsonl"), `${lines.slice(0, -1).join("\n")}\n`);
  try {
    const args = [program, "replay", folder, "--data-dir", dataDir];
    const outcome = await promisify(execFile)(process.execPath, args).catch((error) => error);
    // The recording's end is not reached, which it reports.
    expect(outcome.stdout).toContain(`${messages.length - 1} blocks`);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
