import { type EventKind, eventKinds, filteredKinds } from "@vedette/api";
import { checkVaultAddress } from "@vedette/crypto";
import { Problem } from "../index.js";
import { channelOfName, type HashOfChannel } from "./channelOfName.js";
import type { EntrySelection } from "./EntryEvents.js";
import type { NodeEvent } from "./NodeEvent.js";

/** A name that is watched, as the client wrote it. */
export interface FilteredName {
  readonly name: string;
  /** In lower-case hex. */
  readonly channelHash: string;
}

/** The request of a client. */
export interface EventQuery {
  readonly kind?: readonly EventKind[];
  readonly deployer?: readonly string[];
  readonly address?: readonly string[];
  readonly name?: readonly string[];
}

/** The facts of a node that decide which events it can report. */
export interface ReportedEvents {
  /** Whether it knows transfers. */
  readonly reportsTransfers: boolean;
  /** Whether it knows why deploys fail and what they write. */
  readonly reportsNotes: boolean;
  /** Hashes names as this chain's logs have them. */
  readonly hashOfChannel: HashOfChannel;
}

/** Which events a reader gets. */
export class EventFilter {
  readonly names: readonly FilteredName[];
  readonly wants: EntrySelection;
  readonly #kinds: ReadonlySet<EventKind>;
  readonly #deployers: ReadonlySet<string> | undefined;
  readonly #addresses: ReadonlySet<string> | undefined;
  readonly #channels: ReadonlySet<string>;

  /** @throws {Problem} with the member of the query that is to blame */
  constructor(query: EventQuery, { reportsTransfers, reportsNotes, hashOfChannel }: ReportedEvents) {
    this.names = (query.name ?? []).map((name) => ({ name, channelHash: channelOfName(name, hashOfChannel) }));
    for (const address of query.address ?? []) checkAddress(address);
    this.#kinds = kindsOf(query, reportsTransfers, reportsNotes);
    this.#deployers = setOf(query.deployer?.map((key) => key.toLowerCase()));
    this.#addresses = setOf(query.address);
    this.#channels = new Set(this.#kinds.has("dataSent") ? this.names.map(({ channelHash }) => channelHash) : []);
    const notes = noteKinds.some((kind) => this.#kinds.has(kind));
    this.wants = { transfers: this.#kinds.has("transfer"), notes, channels: [...this.#channels] };
  }

  passes({ kind, subjects: { deployer, addresses, channel } }: NodeEvent): boolean {
    if (!this.#kinds.has(kind)) return false;
    if (deployer !== undefined && this.#deployers !== undefined && !this.#deployers.has(deployer)) return false;
    if (channel !== undefined && !this.#channels.has(channel)) return false;
    if (addresses === undefined || this.#addresses === undefined) return true;
    return this.#addresses.has(addresses[0]) || this.#addresses.has(addresses[1]);
  }
}

const noteKinds: readonly EventKind[] = ["deployFailed", "deployOutput"];

function kindsOf(query: EventQuery, reportsTransfers: boolean, reportsNotes: boolean): ReadonlySet<EventKind> {
  const { kind: asked = [], name = [] } = query;
  if (asked.includes("dataSent") && name.length === 0)
    throw new Problem("query.name is missing: events of the kind dataSent are sent for watched names only.", {
      field: "query.name",
    });
  if (asked.includes("transfer") && !reportsTransfers)
    throw new Problem("query.kind: this node keeps no record of transfers.", { field: "query.kind", status: 501 });
  if (!reportsNotes && asked.some((kind) => noteKinds.includes(kind)))
    throw new Problem("query.kind: this node keeps no record of deploys' output.", {
      ...{ field: "query.kind", status: 501 },
    });
  if (asked.length > 0) return new Set(asked);
  const filters = (Object.keys(filteredKinds) as (keyof typeof filteredKinds)[]).filter(
    (filter) => (query[filter]?.length ?? 0) > 0,
  );
  const known: readonly EventKind[] =
    filters.length === 0 ? eventKinds : filters.flatMap((filter): readonly EventKind[] => filteredKinds[filter]);
  const isReported = (kind: EventKind) => {
    if (noteKinds.includes(kind)) return reportsNotes;
    return (kind !== "dataSent" || name.length > 0) && (kind !== "transfer" || reportsTransfers);
  };
  return new Set(known.filter(isReported));
}

function checkAddress(address: string): void {
  const fault = checkVaultAddress(address);
  if (fault !== undefined) throw new Problem(`query.address is no address: ${fault}.`, { field: "query.address" });
}

function setOf(values: readonly string[] | undefined): ReadonlySet<string> | undefined {
  return values === undefined || values.length === 0 ? undefined : new Set(values);
}
