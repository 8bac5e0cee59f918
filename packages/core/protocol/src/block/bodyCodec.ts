import { emptyBytes } from "@vedette/crypto";
import { type DeployDraft, draftToDeploy, emptyDeployDraft, readDeploy, writeDeploy } from "../deploy/deployCodec.js";
import type { ProcessedDeploy, ProcessedSystemDeploy, SlashDeploy, SystemDeploy } from "../deploy/processedDeploy.js";
import type { Event } from "../event/Event.js";
import { EventTable } from "../event/EventTable.js";
import { readEvent, writeEvent } from "../event/eventCodec.js";
import { ProtoReader } from "../wire/ProtoReader.js";
import type { ProtoWriter } from "../wire/ProtoWriter.js";
import type { BlockCodec, Draft } from "./BlockCodec.js";
import type { Body, Bond, ChainState, RejectedDeploy } from "./Body.js";

/** Writes a body's fields. @spec 40 §1.1 */
export function writeBody(writer: ProtoWriter, body: Body, form: BlockCodec): void {
  const state = writer.begin(0x0a);
  writeState(writer, body.state);
  form.presence.finish(writer, state);
  for (const processed of body.deploys) {
    const start = writer.begin(0x12);
    writeProcessedDeploy(writer, processed, form);
    writer.finishMember(start);
  }
  for (const processed of body.systemDeploys) {
    const start = writer.begin(0x1a);
    writeProcessedSystemDeploy(writer, processed, form);
    writer.finishMember(start);
  }
  writer.bytesField(0x22, body.extraBytes);
  for (const rejected of body.rejectedDeploys) {
    const start = writer.begin(0x2a);
    writer.bytesField(0x0a, rejected.signature);
    form.rejectedDeploy.write(writer, rejected);
    writer.finishMember(start);
  }
  form.body.write(writer, body);
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

function writeProcessedDeploy(writer: ProtoWriter, processed: ProcessedDeploy, form: BlockCodec): void {
  const deploy = writer.begin(0x0a);
  writeDeploy(writer, processed.deploy, form);
  form.presence.finish(writer, deploy);
  const cost = writer.begin(0x12);
  writer.int64Field(0x08, processed.cost);
  form.presence.finish(writer, cost);
  writeLog(writer, 0x1a, processed.log, form);
  writer.boolField(0x28, processed.failed);
  writer.textField(0x32, processed.systemDeployError);
}

function writeProcessedSystemDeploy(writer: ProtoWriter, processed: ProcessedSystemDeploy, form: BlockCodec): void {
  if (processed.error === "") {
    const start = writer.begin(0x0a);
    writeSystemDeploy(writer, processed.systemDeploy, form);
    form.presence.finish(writer, start);
  }
  writeLog(writer, 0x12, processed.log, form);
  writer.textField(0x1a, processed.error);
}

function writeSystemDeploy(writer: ProtoWriter, systemDeploy: SystemDeploy, form: BlockCodec): void {
  switch (systemDeploy.kind) {
    case "slash": {
      const start = writer.begin(0x0a);
      writer.bytesField(0x0a, systemDeploy.invalidBlockHash);
      writer.bytesField(0x12, systemDeploy.issuerPublicKey);
      form.slash.write(writer, systemDeploy);
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

function writeLog(writer: ProtoWriter, tag: number, log: readonly Event[], { presence }: BlockCodec): void {
  for (let i = 0; i < log.length; i += 1) {
    const start = writer.begin(tag);
    writeEvent(writer, log[i]!, presence);
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
  readonly rejectedDeploys: RejectedDeploy[];
  appliedFromScope?: readonly Uint8Array[];
  mergeBase?: Uint8Array;
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
export function readBody(reader: ProtoReader, end: number, form: BlockCodec, draft: BodyDraft): void {
  let last = 0;
  let state: BodyDraft["state"] | undefined;
  while (reader.offset < end) {
    const tag = reader.tag(last, (1 << 2) | (1 << 3) | (1 << 5) | (1 << 6));
    last = tag;
    switch (tag) {
      case 0x0a:
        state = draft.state;
        readState(reader, form.presence.end(reader, end), state);
        break;
      case 0x12:
        draft.deploys.push(readProcessedDeploy(reader, reader.end(end), form));
        break;
      case 0x1a:
        draft.systemDeploys.push(readProcessedSystemDeploy(reader, reader.end(end), form));
        break;
      case 0x22:
        draft.extraBytes = reader.bytesField(end);
        break;
      case 0x2a:
        draft.rejectedDeploys.push(readRejectedDeploy(reader, reader.end(end), form));
        break;
      default:
        form.body.read(reader, tag, end, draft);
    }
  }
  reader.close(end);
  form.presence.check(state, "state");
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
  private readonly form: BlockCodec;
  private readonly events: Event[] = [];
  private readonly places: number[] = [];

  constructor(reader: ProtoReader, form: BlockCodec) {
    this.reader = reader;
    this.form = form;
  }

  /** Takes the event up to `end`. */
  add(end: number): void {
    const { reader } = this;
    if (!reader.defersLogs) {
      reader.events ??= new EventTable();
      this.events.push(readEvent(reader, end, this.form.presence));
      return;
    }
    this.places.push(reader.offset, end);
    reader.offset = end;
  }

  /** Gives an object its log; a deferred one as a property of its own, so that copies of the object have it too. */
  addTo<Rest extends object>(rest: Rest): Rest & { readonly log: readonly Event[] } {
    const { events, places, reader, form } = this;
    if (!reader.defersLogs) return Object.assign(rest, { log: events });
    const { bytes } = reader;
    let log: readonly Event[] | undefined;
    const get = () => (log ??= readEvents(bytes, places, form));
    return Object.defineProperty(rest, "log", { get, enumerable: true }) as Rest & { readonly log: readonly Event[] };
  }
}

function readEvents(bytes: Uint8Array, places: readonly number[], { presence }: BlockCodec): Event[] {
  const reader = new ProtoReader(bytes);
  const events: Event[] = [];
  for (let i = 0; i < places.length; i += 2) {
    reader.offset = places[i]!;
    events.push(readEvent(reader, places[i + 1]!, presence));
  }
  return events;
}

function readProcessedDeploy(reader: ProtoReader, end: number, form: BlockCodec): ProcessedDeploy {
  const { presence } = form;
  const log = new LogDraft(reader, form);
  let deploy: DeployDraft | undefined;
  let cost: bigint | undefined;
  let failed = false;
  let systemDeployError = "";
  let last = 0;
  while (reader.offset < end) {
    const tag = reader.tag(last, 1 << 3);
    last = tag;
    switch (tag) {
      case 0x0a:
        deploy = readDeploy(reader, presence.end(reader, end), form, deploy);
        break;
      case 0x12:
        cost = readCost(reader, presence.end(reader, end), cost ?? 0n);
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
  presence.check(deploy, "deploy");
  presence.check(cost, "cost");
  const read = draftToDeploy(deploy ?? emptyDeployDraft());
  return log.addTo({ deploy: read, cost: cost ?? 0n, failed, systemDeployError });
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

function readProcessedSystemDeploy(reader: ProtoReader, end: number, form: BlockCodec): ProcessedSystemDeploy {
  const log = new LogDraft(reader, form);
  let systemDeploy: SystemDeploy | undefined;
  let error = "";
  let last = 0;
  while (reader.offset < end) {
    const tag = reader.tag(last, 1 << 2);
    last = tag;
    switch (tag) {
      case 0x0a:
        systemDeploy = readSystemDeploy(reader, form, form.presence.end(reader, end), systemDeploy ?? noSystemDeploy);
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
  if (error === "") {
    form.presence.check(systemDeploy, "systemDeploy");
    return log.addTo({ systemDeploy: systemDeploy ?? noSystemDeploy, error });
  }
  // Quirk 40 §1.1: of a failed one rnode keeps the log and the error alone.
  if (systemDeploy !== undefined) reader.canonical = false;
  return log.addTo({ systemDeploy: noSystemDeploy, error });
}

const noSystemDeploy: SystemDeploy = { kind: "empty" };

function readSystemDeploy(reader: ProtoReader, form: BlockCodec, end: number, before: SystemDeploy): SystemDeploy {
  let systemDeploy = before;
  let last = 0;
  while (reader.offset < end) {
    const tag = reader.tag(last, 0);
    // Only one member of a oneof is ever written.
    if (last !== 0) reader.canonical = false;
    last = tag;
    if (tag === 0x0a) systemDeploy = readSlash(reader, form, reader.end(end), systemDeploy);
    else if (tag === 0x12) systemDeploy = readCloseBlock(reader, reader.end(end));
    else reader.skip(tag, end);
  }
  reader.close(end);
  return systemDeploy;
}

function readSlash(reader: ProtoReader, form: BlockCodec, end: number, before: SystemDeploy): SystemDeploy {
  const slash: Draft<SlashDeploy> =
    before.kind === "slash"
      ? { ...before }
      : { kind: "slash", invalidBlockHash: emptyBytes, issuerPublicKey: emptyBytes };
  let last = 0;
  while (reader.offset < end) {
    const tag = reader.tag(last, 0);
    last = tag;
    if (tag === 0x0a) slash.invalidBlockHash = reader.bytesField(end);
    else if (tag === 0x12) slash.issuerPublicKey = reader.bytesField(end);
    else form.slash.read(reader, tag, end, slash);
  }
  reader.close(end);
  return slash;
}

function readCloseBlock(reader: ProtoReader, end: number): SystemDeploy {
  while (reader.offset < end) reader.skip(reader.tag(0, 0), end);
  reader.close(end);
  return { kind: "closeBlock" };
}

function readRejectedDeploy(reader: ProtoReader, end: number, form: BlockCodec): RejectedDeploy {
  const rejected: Draft<RejectedDeploy> = { signature: emptyBytes };
  let last = 0;
  while (reader.offset < end) {
    const tag = reader.tag(last, 0);
    last = tag;
    if (tag === 0x0a) rejected.signature = reader.bytesField(end);
    else form.rejectedDeploy.read(reader, tag, end, rejected);
  }
  reader.close(end);
  return rejected;
}
