import { createPrivateKey, createPublicKey, sign, verify, X509Certificate } from "node:crypto";
import { nodeIdOfCertificate, toHex } from "@vedette/crypto";
import { errorText } from "@vedette/errors";
import { type Dialect, findDialect, unmarkedDialect } from "@vedette/protocol";
import * as Type from "typebox";
import { Check } from "typebox/value";
import { SnapshotError } from "../SnapshotError.js";
import { manifestName } from "./names.js";

const hex32 = Type.String({ pattern: "^[0-9a-f]{64}$" });
const count = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });
/** Two of each block of a horizon; more are left to peers. */
export const maxHorizonStates = 20_000;
/** Nodes, or leaves, that they have beside the states that were there before them. */
export const maxHorizonItems = 8_000_000;
const upTo = (maximum: number) => Type.Integer({ minimum: 0, maximum });
/** More chunks than a state of a terabyte has. */
const maxChunks = 200_000;
/** The maximum length of a manifest. */
export const longestManifestBytes = 32 << 20;

const chunk = Type.Object({ hash: hex32, entries: count, bytes: count }, { additionalProperties: false });
const content = Type.Object(
  {
    format: Type.Literal("vedette-snapshot-1"),
    shard: Type.String({ maxLength: 256 }),
    /** Left out: rnode's, as in snapshots of earlier versions. */
    dialect: Type.Optional(Type.String({ maxLength: 64 })),
    /** That judges the network; left out: not known, or its dialect has none. @spec 61 §24 */
    ruleSet: Type.Optional(Type.String({ maxLength: 64 })),
    block: Type.Object({ hash: hex32, number: count, postStateHash: hex32 }, { additionalProperties: false }),
    /** The further data that a light client needs to trust the block; left out: unknown. @spec 70 §10 */
    checkpoint: Type.Optional(
      Type.Object({ timestamp: count, thresholdPpm: upTo(1_000_000) }, { additionalProperties: false }),
    ),
    /** Height from which on it has all blocks; left out: those that a node needs to begin. */
    blocksFrom: Type.Optional(count),
    blocks: count,
    nodes: count,
    leaves: count,
    /** The states below its own, on f1r3node networks; left out: none. */
    horizon: Type.Optional(
      Type.Object(
        {
          states: upTo(maxHorizonStates),
          nodes: upTo(maxHorizonItems),
          leaves: upTo(maxHorizonItems),
          /** The number of blocks with their changes of number channels. */
          numbers: upTo(maxHorizonStates),
        },
        { additionalProperties: false },
      ),
    ),
    /** Unix milliseconds. */
    madeAt: count,
    chunks: Type.Array(chunk, { maxItems: maxChunks }),
  },
  { additionalProperties: false },
);
const signed = Type.Object(
  {
    content,
    maker: Type.Optional(
      Type.Object(
        {
          certificate: Type.String({ maxLength: 16_384 }),
          signature: Type.String({ pattern: "^[0-9a-f]{0,512}$" }),
        },
        { additionalProperties: false },
      ),
    ),
  },
  { additionalProperties: false },
);

/** The content of a snapshot. Blocks come first in its chunks, the highest first. */
export type ManifestContent = Type.Static<typeof content>;
/** How much of states below its own it has. */
export type HorizonFacts = NonNullable<ManifestContent["horizon"]>;
/** A chunk: the hash of its content, its entries, and its length before it was compressed. */
export type ChunkFacts = Type.Static<typeof chunk>;

/** Maker of snapshots: a node, by the key that it has for its connections. */
export interface SnapshotCreator {
  readonly certificatePem: string;
  readonly privateKeyPem: string;
}

/** A manifest, with the id of the node that signed it. */
export interface Manifest extends ManifestContent {
  readonly name: string;
  /** The dialect of the network. */
  readonly dialect: Dialect["name"];
  readonly maker: string | undefined;
}

/** A manifest as it is stored. */
export function writeManifest(made: ManifestContent, maker: SnapshotCreator | undefined): Uint8Array {
  const by =
    maker === undefined ? {} : { maker: { certificate: maker.certificatePem, signature: signatureOf(made, maker) } };
  return new TextEncoder().encode(`${JSON.stringify({ content: made, ...by }, undefined, 1)}\n`);
}

/**
 * Reads a manifest.
 *
 * @param name of its file, which also names its block
 * @throws {SnapshotError} `manifestWrong`: no manifest of this format, another block than in its name, an invalid
 * signature
 */
export function readManifest(name: string, bytes: Uint8Array): Manifest {
  const wrong = (reason: string, cause?: unknown) =>
    new SnapshotError({ code: "manifestWrong", name, reason }, cause === undefined ? undefined : { cause });
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch (error) {
    throw wrong(errorText(error), error);
  }
  if (!Check(signed, value)) throw wrong("it is none of the format vedette-snapshot-1");
  const { content: made, maker } = value;
  if (manifestName(BigInt(made.block.number), made.block.hash) !== name) throw wrong("it is of another block");
  const dialect = findDialect(made.dialect ?? unmarkedDialect)?.name;
  if (dialect === undefined) throw wrong(`it is of the dialect '${made.dialect}', which this version does not know`);
  if (maker === undefined) return { ...made, name, dialect, maker: undefined };
  try {
    const key = createPublicKey(
      new X509Certificate(maker.certificate).publicKey.export({ format: "pem", type: "spki" }),
    );
    if (!verify("sha256", textOf(made), key, Buffer.from(maker.signature, "hex")))
      throw wrong("its signature is not its maker's");
    return { ...made, name, dialect, maker: toHex(nodeIdOfCertificate(maker.certificate)) };
  } catch (error) {
    if (error instanceof SnapshotError) throw error;
    throw wrong(`its maker's certificate cannot be read (${errorText(error)})`, error);
  }
}

function signatureOf(made: ManifestContent, { privateKeyPem }: SnapshotCreator): string {
  return sign("sha256", textOf(made), createPrivateKey(privateKeyPem)).toString("hex");
}

/** The signed text. Members are in the order in which they were written. */
function textOf(made: ManifestContent): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(made));
}
