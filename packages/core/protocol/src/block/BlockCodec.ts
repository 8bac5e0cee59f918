import type { Deploy } from "../deploy/Deploy.js";
import type { SlashDeploy } from "../deploy/processedDeploy.js";
import type { FloorSeed } from "../genesis/FloorSeed.js";
import type { Presence } from "../wire/Presence.js";
import type { ProtoReader } from "../wire/ProtoReader.js";
import type { ProtoWriter } from "../wire/ProtoWriter.js";
import type { Body, RejectedDeploy } from "./Body.js";

/**
 * How blocks, and what they are made of, are written and read in a dialect. A block has the form that it was read in,
 * or that it was made for.
 *
 * @spec 40 §1.1, 61 §1.2
 */
export interface BlockCodec {
  readonly presence: Presence;
  readonly deploy: DialectFields<Pick<Deploy, "expirationTimestamp">>;
  readonly slash: DialectFields<Pick<SlashDeploy, "targetActivationEpoch">>;
  readonly body: DialectFields<Pick<Body, "appliedFromScope" | "mergeBase">>;
  readonly rejectedDeploy: DialectFields<Pick<RejectedDeploy, "duplicate" | "carrier">>;
  readonly approvedBlock: DialectFields<{ readonly floorSeed?: FloorSeed }>;
}

/** The fields of a message that not all dialects have; their numbers are above those of the others. */
export interface DialectFields<Message> {
  write(writer: ProtoWriter, message: Message): void;
  /** Reads a field into `draft`; one that the dialect does not have either is skipped. @throws {WireError} */
  read(reader: ProtoReader, tag: number, end: number, draft: Draft<Message>): void;
}

/** A message while it is read. */
export type Draft<Message> = { -readonly [Key in keyof Message]: Message[Key] };
