import { emptyBytes } from "@vedette/crypto";
import { type DeployDraft, draftToDeploy, emptyDeployDraft, readDeploy, writeDeploy } from "../deploy/deployCodec.js";
import type { ProcessedDeploy, ProcessedSystemDeploy, SystemDeploy } from "../deploy/processedDeploy.js";
import type { Event } from "../event/Event.js";
import { EventTable } from "../event/EventTable.js";
import { readEvent, writeEvent } from "../event/eventCodec.js";
import { ProtoReader } from "../wire/ProtoReader.js";
import type { ProtoWriter } from "../wire/ProtoWriter.js";
import type { Body, Bond, ChainState } from "./Block.js";

/** Writes a body's fields. @spec 40 §1.1 */
export function writeBody(writer: ProtoWriter, body: Body): void {
  const state = writer.begin(0x0a);
  writeState(writer, body.state);
  writer.finishSingular(state);
  for (const processed of body.deploys) {
    const start = writer.begin(0x12);
    writeProcessedDeploy(writer, processed);
    writer.finishMember(start);
  }
  for (const processed of body.systemDeploys) {
    const start = writer.begin(0x1a);
    writeProcessedSystemDeploy(writer, processed);
    writer.finishMember(start);
  }
  writer.bytesField(0x22, body.extraBytes);
  for (const signature of body.rejectedDeploys) {
    const start = writer.begin(0x2a);
    writer.bytesField(0x0a, signature);
    writer.finishMember(start);
  }
}

function writeState(writer: ProtoWriter, state: ChainState): void {
  writer.bytesField(0x0a, state.preStateHash);
  writer.bytesField(0x12, state.postStateHash);
  for (const bond of state.bonds) {
    const start = writer.begin(0x1a);
    writer.bytesField(0x0a, bond.validator);
    writer.int64Field(0x10, bond.stake);
    writer.finishMember(start);
  }
  writer.int64Field(0x20, state.blockNumber);
}

function writeProcessedDeploy(writer: ProtoWriter, processed: ProcessedDeploy): void {
  const deploy = writer.begin(0x0a);
  writeDeploy(writer, processed.deploy);
  writer.finishSingular(deploy);
  const cost = writer.begin(0x12);
  writer.int64Field(0x08, processed.cost);
  writer.finishSingular(cost);
  writeLog(writer, 0x1a, processed.log);
  writer.boolField(0x28, processed.failed);
  writer.textField(0x32, processed.systemDeployError);
}

function writeProcessedSystemDeploy(writer: ProtoWriter, processed: ProcessedSystemDeploy): void {
  const start = writer.begin(0x0a);
  writeSystemDeploy(writer, processed.systemDeploy);
  writer.finishSingular(start);
  writeLog(writer, 0x12, processed.log);
  writer.textField(0x1a, processed.error);
}

function writeSystemDeploy(writer: ProtoWriter, systemDeploy: SystemDeploy): void {
  switch (systemDeploy.kind) {
    case "slash": {
      const start = writer.begin(0x0a);
      writer.bytesField(0x0a, systemDeploy.invalidBlockHash);
      writer.bytesField(0x12, systemDeploy.issuerPublicKey);
      writer.finishMember(start);
      return;
    }
    case "closeBlock":
      writer.finishMember(writer.begin(0x12));
      return;
    case "empty":
      return;
  }
}

function writeLog(writer: ProtoWriter, tag: number, log: readonly Event[]): void {
  for (let i = 0; i < log.length; i += 1) {
    const start = writer.begin(tag);
    writeEvent(writer, log[i]!);
    writer.finishMember(start);
  }
}

/** A body while it is read; a repeated singular field goes on where the first one ended. */
export interface BodyDraft {
  readonly state: {
    preStateHash: Uint8Array;
    postStateHash: Uint8Array;
    readonly bonds: Bond[];
    blockNumber: bigint;
  };
  readonly deploys: ProcessedDeploy[];
  readonly systemDeploys: ProcessedSystemDeploy[];
  extraBytes: Uint8Array;
  readonly rejectedDeploys: Uint8Array[];
}

/** The body of a message that has none of its fields. */
export function emptyBodyDraft(): BodyDraft {
  return {
    state: { preStateHash: emptyBytes, postStateHash: emptyBytes, bonds: [], blockNumber: 0n },
    deploys: [],
    systemDeploys: [],
    extraBytes: emptyBytes,
    rejectedDeploys: [],
  };
}

/** Reads a body's fields up to `end`. @spec 40 §1.1 @throws {WireError} */
export function readBody(reader: ProtoReader, end: number, draft: BodyDraft): void {
  let last = 0;
  while (reader.offset < end) {
    const tag = reader.tag(last, (1 << 2) | (1 << 3) | (1 << 5));
    last = tag;
    switch (tag) {
      case 0x0a:
        readState(reader, singular(reader, end), draft.state);
        break;
      case 0x12:
        draft.deploys.push(readProcessedDeploy(reader, reader.end(end)));
        break;
      case 0x1a:
        draft.systemDeploys.push(readProcessedSystemDeploy(reader, reader.end(end)));
        break;
      case 0x22:
        draft.extraBytes = reader.bytesField(end);
        break;
      case 0x2a:
        draft.rejectedDeploys.push(readRejectedDeploy(reader, reader.end(end)));
        break;
      default:
        reader.skip(tag, end);
    }
  }
  reader.close(end);
}

/** The end of a singular sub-message, which an encoder leaves out when it is empty. */
export function singular(reader: ProtoReader, limit: number): number {
  const end = reader.end(limit);
  if (end === reader.offset) reader.canonical = false;
  return end;
}

function readState(reader: ProtoReader, end: number, state: BodyDraft["state"]): void {
  let last = 0;
  while (reader.offset < end) {
    const tag = reader.tag(last, 1 << 3);
    last = tag;
    switch (tag) {
      case 0x0a:
        state.preStateHash = reader.bytesField(end);
        break;
      case 0x12:
        state.postStateHash = reader.bytesField(end);
        break;
      case 0x1a:
        state.bonds.push(readBond(reader, reader.end(end)));
        break;
      case 0x20:
        state.blockNumber = reader.int64Field();
        break;
      default:
        reader.skip(tag, end);
    }
  }
  reader.close(end);
}

function readBond(reader: ProtoReader, end: number): Bond {
  let validator: Uint8Array = emptyBytes;
  let stake = 0n;
  let last = 0;
  while (reader.offset < end) {
    const tag = reader.tag(last, 0);
    last = tag;
    if (tag === 0x0a) validator = reader.bytesField(end);
    else if (tag === 0x10) stake = reader.int64Field();
    else reader.skip(tag, end);
  }
  reader.close(end);
  return { validator, stake };
}

/** Reads the events of a log at once, or notes where they lie. */
class LogDraft {
  private readonly reader: ProtoReader;
  private readonly events: Event[] = [];
  private readonly places: number[] = [];

  constructor(reader: ProtoReader) {
    this.reader = reader;
  }

  /** Takes the event up to `end`. */
  add(end: number): void {
    const { reader } = this;
    if (!reader.defersLogs) {
      reader.events ??= new EventTable();
      this.events.push(readEvent(reader, end));
      return;
    }
    this.places.push(reader.offset, end);
    reader.offset = end;
  }

  /** Gives an object its log; a deferred one as a property of its own, so that copies of the object have it too. */
  addTo<Rest extends object>(rest: Rest): Rest & { readonly log: readonly Event[] } {
    const { events, places, reader } = this;
    if (!reader.defersLogs) return Object.assign(rest, { log: events });
    const { bytes } = reader;
    let log: readonly Event[] | undefined;
    const get = () => (log ??= readEvents(bytes, places));
    return Object.defineProperty(rest, "log", { get, enumerable: true }) as Rest & { readonly log: readonly Event[] };
  }
}

function readEvents(bytes: Uint8Array, places: readonly number[]): Event[] {
  const reader = new ProtoReader(bytes);
  const events: Event[] = [];
  for (let i = 0; i < places.length; i += 2) {
    reader.offset = places[i]!;
    events.push(readEvent(reader, places[i + 1]!));
  }
  return events;
}

function readProcessedDeploy(reader: ProtoReader, end: number): ProcessedDeploy {
  const log = new LogDraft(reader);
  let deploy: DeployDraft | undefined;
  let cost = 0n;
  let failed = false;
  let systemDeployError = "";
  let last = 0;
  while (reader.offset < end) {
    const tag = reader.tag(last, 1 << 3);
    last = tag;
    switch (tag) {
      case 0x0a:
        deploy = readDeploy(reader, singular(reader, end), deploy);
        break;
      case 0x12:
        cost = readCost(reader, singular(reader, end), cost);
        break;
      case 0x1a:
        log.add(reader.end(end));
        break;
      case 0x28:
        failed = reader.boolField();
        break;
      case 0x32:
        systemDeployError = reader.textField(end);
        break;
      default:
        reader.skip(tag, end);
    }
  }
  reader.close(end);
  return log.addTo({ deploy: draftToDeploy(deploy ?? emptyDeployDraft()), cost, failed, systemDeployError });
}

function readCost(reader: ProtoReader, end: number, before: bigint): bigint {
  let cost = before;
  let last = 0;
  while (reader.offset < end) {
    const tag = reader.tag(last, 0);
    last = tag;
    if (tag === 0x08) cost = reader.int64Field();
    else reader.skip(tag, end);
  }
  reader.close(end);
  return cost;
}

function readProcessedSystemDeploy(reader: ProtoReader, end: number): ProcessedSystemDeploy {
  const log = new LogDraft(reader);
  let systemDeploy: SystemDeploy = { kind: "empty" };
  let error = "";
  let last = 0;
  while (reader.offset < end) {
    const tag = reader.tag(last, 1 << 2);
    last = tag;
    switch (tag) {
      case 0x0a:
        systemDeploy = readSystemDeploy(reader, singular(reader, end), systemDeploy);
        break;
      case 0x12:
        log.add(reader.end(end));
        break;
      case 0x1a:
        error = reader.textField(end);
        break;
      default:
        reader.skip(tag, end);
    }
  }
  reader.close(end);
  if (error === "" || systemDeploy.kind === "empty") return log.addTo({ systemDeploy, error });
  // Quirk 40 §1.1: of a failed one the reference keeps the log and the error alone.
  reader.canonical = false;
  return log.addTo({ systemDeploy: { kind: "empty" }, error });
}

function readSystemDeploy(reader: ProtoReader, end: number, before: SystemDeploy): SystemDeploy {
  let systemDeploy = before;
  let last = 0;
  while (reader.offset < end) {
    const tag = reader.tag(last, 0);
    // Only one member of a oneof is ever written.
    if (last !== 0) reader.canonical = false;
    last = tag;
    if (tag === 0x0a) systemDeploy = readSlash(reader, reader.end(end), systemDeploy);
    else if (tag === 0x12) systemDeploy = readCloseBlock(reader, reader.end(end));
    else reader.skip(tag, end);
  }
  reader.close(end);
  return systemDeploy;
}

function readSlash(reader: ProtoReader, end: number, before: SystemDeploy): SystemDeploy {
  let invalidBlockHash = before.kind === "slash" ? before.invalidBlockHash : emptyBytes;
  let issuerPublicKey = before.kind === "slash" ? before.issuerPublicKey : emptyBytes;
  let last = 0;
  while (reader.offset < end) {
    const tag = reader.tag(last, 0);
    last = tag;
    if (tag === 0x0a) invalidBlockHash = reader.bytesField(end);
    else if (tag === 0x12) issuerPublicKey = reader.bytesField(end);
    else reader.skip(tag, end);
  }
  reader.close(end);
  return { kind: "slash", invalidBlockHash, issuerPublicKey };
}

function readCloseBlock(reader: ProtoReader, end: number): SystemDeploy {
  while (reader.offset < end) reader.skip(reader.tag(0, 0), end);
  reader.close(end);
  return { kind: "closeBlock" };
}

function readRejectedDeploy(reader: ProtoReader, end: number): Uint8Array {
  let signature: Uint8Array = emptyBytes;
  let last = 0;
  while (reader.offset < end) {
    const tag = reader.tag(last, 0);
    last = tag;
    if (tag === 0x0a) signature = reader.bytesField(end);
    else reader.skip(tag, end);
  }
  reader.close(end);
  return signature;
}
