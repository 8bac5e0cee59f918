import type { HttpClient } from "@vedette/client";
import type { IndexDatabase } from "@vedette/indexer/writing";
import { channelHash, GInt, GPrivate, GString, Par, parOfExpr } from "@vedette/terms";
import { type ApiBlockRow, type ApiChain, digitsOf } from "./ApiChain.js";
import { type ExpectedRow, type ExpectedTables, placeOf } from "./expectedBlocks.js";

type ProcessedDeploy = ApiBlockRow["block"]["body"]["deploys"][number];

/** How often each name was sent on, by the hash of the name. */
function sends({ log }: ProcessedDeploy): Map<string, number> {
  const counts = new Map<string, number>();
  for (const event of log) {
    if (event.kind !== "produce") continue;
    const hash = digitsOf(event.channelsHash);
    counts.set(hash, (counts.get(hash) ?? 0) + 1);
  }
  return counts;
}

type Uses = ReadonlyMap<string, number>;

/** The number of operations on each name, by the hash of the name; a log repeats some of them. */
function distinct(operations: readonly (readonly [name: Uint8Array, operation: Uint8Array])[]): Uses {
  const found = new Map<string, Set<string>>();
  for (const [name, operation] of operations) {
    const key = digitsOf(name);
    found.set(key, (found.get(key) ?? new Set()).add(digitsOf(operation)));
  }
  return new Map([...found].map(([key, { size }]) => [key, size]));
}

function written({ log }: ProcessedDeploy): Uses {
  const isPutBack = ({ hash }: { readonly hash: Uint8Array }) => {
    const isIt = (one: { readonly hash: Uint8Array }) => digitsOf(one.hash) === digitsOf(hash);
    const peeks = log.filter((event) => event.kind === "comm" && event.peeks.length > 0 && event.produces.some(isIt));
    return log.filter((event) => event.kind === "produce" && isIt(event)).length <= peeks.length;
  };
  return distinct(
    log.flatMap((event) =>
      event.kind === "produce" && (event.persistent || !isPutBack(event)) ? [[event.channelsHash, event.hash]] : [],
    ),
  );
}

function read({ log }: ProcessedDeploy): Uses {
  return distinct(
    log.flatMap((event) =>
      event.kind === "consume" ? event.channelsHashes.map((name) => [name, event.hash] as const) : [],
    ),
  );
}

/** Public names that programs have as text or number, and that their logs show were sent on or received from. */
export function expectedNames({ blocks }: ApiChain): ExpectedTables {
  const rowsOf = (column: "writes" | "reads", countsOf: (processed: ProcessedDeploy) => Uses) =>
    blocks.flatMap(({ info, block }) =>
      block.body.deploys.flatMap((processed): ExpectedRow[] => {
        const { deploy, failed } = processed;
        if (failed) return [];
        const counts = countsOf(processed);
        const literals = new Set(deploy.term.match(/@"[^"\\\n]*"|@-?\d+(?!\w)/g) ?? []);
        return [...literals].flatMap((name): ExpectedRow[] => {
          const literal = name.slice(1);
          const par = parOfExpr(
            literal.startsWith('"') ? new GString(literal.slice(1, -1)) : new GInt(BigInt(literal)),
          );
          const hash = digitsOf(channelHash(par));
          const count = counts.get(hash);
          if (count === undefined) return [];
          return [
            { ...placeOf(info), deploy_id: digitsOf(deploy.signature), name, channel_hash: hash, [column]: count },
          ];
        });
      }),
    );
  return { name_writes: rowsOf("writes", written), name_reads: rowsOf("reads", read) };
}

/** Bytes of the registry's names. @spec 21 §7.1 */
const registryNames = { arbitrary: 15, signed: 16 } as const;

/**
 * Compares the registered contracts with the log, which shows how often the registry was called, and with the registry
 * itself: every entry is found there.
 */
export async function contractDifferences(
  { db }: IndexDatabase,
  { blocks }: ApiChain,
  client: HttpClient,
): Promise<string[]> {
  const rows: ExpectedRow[] = await db.selectFrom("registered_contracts").selectAll().execute();
  const differences: string[] = [];
  for (const { info, block } of blocks) {
    const own = rows.filter((row) => row["block_hash"] === info.blockHash);
    for (const processed of block.body.deploys) {
      const id = digitsOf(processed.deploy.signature);
      const counts = processed.failed ? new Map<string, number>() : sends(processed);
      const calls = (kind: keyof typeof registryNames) =>
        counts.get(
          digitsOf(channelHash(Par.of({ unforgeables: [new GPrivate(Uint8Array.of(registryNames[kind]))] }))),
        ) ?? 0;
      const entered = (kind: string) => own.filter((row) => row["deploy_id"] === id && row["kind"] === kind).length;
      // The registry enters whatever is handed to it so, but not everything that is signed.
      // The first deploy of genesis makes the registry, by messages of another form.
      if (info.parentsHashList.length === 0 && entered("arbitrary") === 0) continue;
      if (entered("arbitrary") !== calls("arbitrary") || entered("signed") > calls("signed"))
        differences.push(
          `${id} called the registry ${calls("arbitrary")} and ${calls("signed")} times, and entered ${entered("arbitrary")} and ${entered("signed")}`,
        );
    }
    const uris = own.map((row) => String(row["uri"]));
    if (uris.length > 0 && info.parentsHashList.length > 0) differences.push(...(await missing(uris, info, client)));
  }
  return differences;
}

async function missing(
  uris: readonly string[],
  { blockHash }: ApiBlockRow["info"],
  client: HttpClient,
): Promise<string[]> {
  const lookups = uris.map((uri) => `lookup!(\`${uri}\`, *answer)`).join(" | ");
  const term = `new return, answer, lookup(\`rho:registry:lookup\`) in {
    ${lookups} | contract answer(@value) = { return!(value == Nil) } }`;
  const { values } = await client.explore(term, { blockHash });
  const found = values.filter((value) => value === false).length;
  return found === uris.length ? [] : [`${found} of ${uris.join(", ")} are in the registry after ${blockHash}`];
}
