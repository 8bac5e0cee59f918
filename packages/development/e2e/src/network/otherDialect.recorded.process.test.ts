import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { freePorts, portOptions, program } from "@vedette/cli/testing";
import { type Dialect, f1r3node, rnode } from "@vedette/protocol";
import { recordedDirectory, replayChain, usualCases } from "@vedette/testing";
import { afterAll, describe, expect, test } from "vitest";
import { HostilePeer, signedAs, signerOf } from "./HostilePeer.js";
import { RecordedNetwork } from "./recordedNetwork.js";

const networks = [
  { chain: "solo", dialect: rnode, other: f1r3node, otherChain: "solo-r" },
  { chain: "solo-r", dialect: f1r3node, other: rnode, otherChain: "solo" },
] as const;

describe.each(usualCases(networks))(`a node on $chain, and the dialect $other.name`, (world) => {
  const { chain, dialect, other, otherChain } = world;
  const folder = mkdtempSync(join(tmpdir(), "vedette-other-dialect-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test("messages of a peer of the other dialect are refused with a reason, and the node keeps running", async () => {
    await using network = new RecordedNetwork(chain);
    const node = await network.serve();
    const blockNumber = async () => JSON.parse(await node.get("/status")).syncStatus.blockNumber as number | null;
    await node.line(/HTTP API server started/);
    await expect.poll(blockNumber).not.toBeNull();
    const before = await blockNumber();
    await using peer = await HostilePeer.connect(node, network, other);
    const last = new RecordedNetwork(otherChain).blocks().at(-1)!;
    // As a validator of this network would have to have made it.
    const block = signedAs(last, signerOf("v1"));
    await peer.announce(block);
    await node.line(/Dropped \(block hash is not the content's; it may be of another dialect/);
    for (const type of ["FloorCacheRequest", "MergeableEntryRequest"] as const) {
      await peer.send(type, { hashes: [last.hash], blockHash: last.hash } as never);
      if (dialect === rnode) await node.line(new RegExp(`Unrecognized typeId: ${type} \\(it is of another dialect`));
    }
    expect(await blockNumber()).toBe(before);
    expect(await node.get(`/api/block/${Buffer.from(block.hash).toString("hex")}`)).not.toContain(`"blockInfo"`);
  });

  test("its data directory is refused to a node of the other dialect, before anything is written", async () => {
    const dataDir = join(folder, "data");
    await replayChain(chain, dataDir);
    const before = contentOf(dataDir);
    const ports = portOptions(await freePorts());
    const commands: readonly (readonly string[])[] = [
      ["run", "--standalone", `--data-dir=${dataDir}`, `--dialect=${other.name}`, "--network-id=test", ...ports],
      ["replay", join(sourceOf(other), otherChain), `--data-dir=${dataDir}`],
      ["replica", `--data-dir=${dataDir}`, `--dialect=${other.name}`, "--nats=nats://127.0.0.1:9", "--network-id=test"],
    ];
    for (const args of commands) {
      const outcome = await promisify(execFile)(program, args).then(
        () => "it was taken",
        ({ stderr, stdout }: { stderr: string; stdout: string }) => stderr + stdout,
      );
      expect(outcome, args.join(" ")).toContain(
        `holds a chain of the dialect '${dialect.name}', but one of '${other.name}' is wanted; choose another --data-dir`,
      );
    }
    expect(contentOf(dataDir)).toEqual(before);
  });
});

test("a data directory and a snapshot of one rule set are refused to a node of another, before anything is written", async () => {
  const folder = mkdtempSync(join(tmpdir(), "vedette-other-rules-"));
  const [dataDir, place] = [join(folder, "data"), join(folder, "place")];
  const outcomeOf = (...args: readonly string[]) =>
    promisify(execFile)(program, args).then(
      ({ stdout }) => stdout,
      ({ stderr, stdout }: { stderr: string; stdout: string }) => stderr + stdout,
    );
  try {
    await replayChain("solo-r", dataDir);
    const created = await outcomeOf("snapshot", "create", `--data-dir=${dataDir}`, `--location=${place}`, "--json");
    const { block, ruleSet } = JSON.parse(created);
    expect(ruleSet).toBe("f1r3node-0.4.45");
    const before = contentOf(folder);
    const other = ["--dialect=f1r3node", "--rule-set=f1r3node-prior-rejections"];
    const ports = portOptions(await freePorts());
    const refused =
      "holds a chain made by the rule set 'f1r3node-0.4.45', but 'f1r3node-prior-rejections' is wanted; check casper.rule-set";
    const run = ["run", "--standalone", "--network-id=test", `--data-dir=${dataDir}`, ...ports, ...other];
    expect(await outcomeOf(...run)).toContain(refused);
    const restore = ["snapshot", "restore", `--location=${place}`, `--block=${block.hash}`, ...other];
    expect(await outcomeOf(...restore, `--data-dir=${join(folder, "new")}`)).toContain(
      "is of a network of the rule set 'f1r3node-0.4.45', but 'f1r3node-prior-rejections' is configured",
    );
    expect(contentOf(folder)).toEqual(before);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

function sourceOf({ name }: Dialect): string {
  return recordedDirectory(name === f1r3node.name ? "chains-r" : "chains");
}

/** Every file below a folder, with a hash of what is in it; but LMDB's table of readers. */
function contentOf(folder: string): Record<string, string> {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter(
    (name) => statSync(join(folder, name)).isFile() && !name.endsWith("lock.mdb"),
  );
  return Object.fromEntries(
    files.sort().map((name) => [
      name,
      createHash("sha256")
        .update(readFileSync(join(folder, name)))
        .digest("hex"),
    ]),
  );
}
