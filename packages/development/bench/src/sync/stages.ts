import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The parts of a CPU profile of V8 that are read here. */
interface Profile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: { readonly functionName: string; readonly url: string };
    readonly children?: readonly number[];
  }[];
  readonly samples: readonly number[];
  /** Microseconds between two samples. */
  readonly timeDeltas: readonly number[];
}

/** The stage of a block's way for each frame; the innermost frame with a stage decides. */
const rules: readonly (readonly [string, RegExp])[] = [
  ["garbage collection", /^\(garbage collector\)/],
  ["idle", /^\((idle|program|root)\)/],
  ["signatures", /crypto\/(dist|src)\/signature|noble-curves|secp256k1/],
  ["hash", /blake2|keccak|crypto\/(dist|src)\/hash|noble-hashes/],
  ["commit", /packages\/store\/|node_modules\/lmdb/],
  ["state tree", /tuplespace\/(dist|src)\/(history|leaf|merge)\//],
  ["tuple space", /packages\/tuplespace\//],
  ["encode and decode", /packages\/(protocol|terms)\/(dist|src)\/.*(wire|codec|encode|decode|proto)/i],
  ["parse and normalize", /rholang\/(dist|src)\/(syntax|normalize|compile|parse)/],
  ["execute", /packages\/(rholang|terms|execution)\//],
  ["check and finalize", /packages\/chain\//],
  ["between threads", /packages\/workers\/|worker\/io|worker_threads|internal\/structured/],
  ["read", /packages\/(node|protocol)\/|node:fs/],
];

/** Processor time by stage in milliseconds, of all threads, from the profiles in a folder. */
export function stagesOf(folder: string): ReadonlyMap<string, number> {
  const stages = new Map<string, number>();
  for (const name of readdirSync(folder)) {
    if (!name.endsWith(".cpuprofile")) continue;
    const profile: Profile = JSON.parse(readFileSync(join(folder, name), "utf8"));
    const stageOf = stagesOfNodes(profile);
    for (const [index, id] of profile.samples.entries()) {
      const stage = stageOf.get(id)!;
      const ms = Math.max(0, profile.timeDeltas[index]!) / 1000;
      stages.set(stage, (stages.get(stage) ?? 0) + ms);
    }
  }
  return stages;
}

function stagesOfNodes({ nodes }: Profile): ReadonlyMap<number, string> {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const stages = new Map<number, string>();
  const todo: (readonly [number, string])[] = [[nodes[0]!.id, "other"]];
  for (let next = todo.pop(); next !== undefined; next = todo.pop()) {
    const [id, outer] = next;
    const { callFrame, children = [] } = byId.get(id)!;
    const stage = rules.find(([, rule]) => rule.test(callFrame.functionName) || rule.test(callFrame.url))?.[0] ?? outer;
    stages.set(id, stage);
    for (const child of children) todo.push([child, stage]);
  }
  return stages;
}
