import { BinaryWriter, WireType } from "@bufbuild/protobuf/wire";
import { emptyBytes, toHex } from "@vedette/crypto";
import type { DeployReport, ReportSink } from "@vedette/execution";
import type { Block, ProcessedDeploy, SystemDeploy } from "@vedette/protocol";
import type { TermCodec } from "@vedette/terms";
import type { ReportConsume, ReportEvent, ReportProduce } from "@vedette/tuplespace";
import { ReportTooLargeError } from "./TextWriter.js";

/**
 * Encodes the reports of a block's deploys as fields of `BlockEventInfo`.
 *
 * Terms are in the encoding of the tuple space, so it is written without a detour over message objects.
 *
 * @spec 50 §3.3
 */
export class ReportEncoder implements ReportSink {
  readonly #block: Block;
  readonly #terms: TermCodec;
  readonly #maxBytes: number;
  /** Each is a `DeployInfoWithEventData`. */
  readonly deploys: Uint8Array[] = [];
  /** Each is a `SystemDeployInfoWithEventData`. */
  readonly systemDeploys: Uint8Array[] = [];
  #bytes = 0;

  /** @param terms of the network @param maxBytes of all events together */
  constructor(block: Block, { terms, maxBytes }: { readonly terms: TermCodec; readonly maxBytes: number }) {
    this.#block = block;
    this.#terms = terms;
    this.#maxBytes = maxBytes;
  }

  /** @throws {ReportTooLargeError} */
  deploy(index: number, report: DeployReport): void {
    this.deploys.push(this.#encode(deployInfoBytes(this.#block.body.deploys[index]!), report));
  }

  /** @throws {ReportTooLargeError} */
  systemDeploy(index: number, report: DeployReport): void {
    const { systemDeploy } = this.#block.body.systemDeploys[index]!;
    this.systemDeploys.push(this.#encode(systemDeployBytes(systemDeploy), report));
  }

  #encode(info: Uint8Array, report: DeployReport): Uint8Array {
    const writer = new BinaryWriter();
    field(writer, 1, info);
    for (const events of report) field(writer, 2, this.#group(events));
    return writer.finish();
  }

  #group(events: readonly ReportEvent[]): Uint8Array {
    const group = new BinaryWriter();
    for (const event of events) {
      const bytes = eventBytes(event, this.#terms);
      this.#bytes += bytes.length;
      if (this.#bytes > this.#maxBytes) throw new ReportTooLargeError({ code: "tooLarge", maxUnits: this.#maxBytes });
      field(group, 1, bytes);
    }
    return group.finish();
  }
}

function field(writer: BinaryWriter, number: number, bytes: Uint8Array): void {
  writer.tag(number, WireType.LengthDelimited).bytes(bytes);
}

/** Fields with their default value are left out, as everywhere in this encoding. */
function optionalField(writer: BinaryWriter, number: number, bytes: Uint8Array): void {
  if (bytes.length > 0) field(writer, number, bytes);
}

function numberField(writer: BinaryWriter, number: number, value: bigint): void {
  if (value !== 0n) writer.tag(number, WireType.Varint).int64(value);
}

const encoder = new TextEncoder();

/**
 * Encodes a deploy as `DeployInfo`, without transfers.
 *
 * PERF: a tenth of a reader's start is the schemas of the API, from which this could be made.
 */
export function deployInfoBytes({ deploy, cost, failed, systemDeployError }: ProcessedDeploy): Uint8Array {
  const writer = new BinaryWriter();
  const text = (number: number, value: string) => optionalField(writer, number, encoder.encode(value));
  text(1, toHex(deploy.deployer));
  text(2, deploy.term);
  numberField(writer, 3, deploy.timestamp);
  text(4, toHex(deploy.signature));
  text(5, deploy.algorithm);
  numberField(writer, 7, deploy.phloPrice);
  numberField(writer, 8, deploy.phloLimit);
  numberField(writer, 9, deploy.validAfterBlockNumber);
  numberField(writer, 10, cost);
  if (failed) writer.tag(11, WireType.Varint).bool(failed);
  text(12, systemDeployError);
  return writer.finish();
}

/** Encodes a system deploy as `SystemDeployDataProto`. */
function systemDeployBytes(systemDeploy: SystemDeploy): Uint8Array {
  const writer = new BinaryWriter();
  if (systemDeploy.kind === "closeBlock") field(writer, 2, emptyBytes);
  if (systemDeploy.kind === "slash") {
    const slash = new BinaryWriter();
    optionalField(slash, 1, systemDeploy.invalidBlockHash);
    optionalField(slash, 2, systemDeploy.issuerPublicKey);
    field(writer, 1, slash.finish());
  }
  return writer.finish();
}

const eventFields = { produce: 1, consume: 2, comm: 3 } as const;

function eventBytes(event: ReportEvent, terms: TermCodec): Uint8Array {
  const writer = new BinaryWriter();
  field(writer, eventFields[event.kind], valueBytes(event, terms));
  return writer.finish();
}

function valueBytes(event: ReportEvent, terms: TermCodec): Uint8Array {
  switch (event.kind) {
    case "produce":
      return produceBytes(event, terms);
    case "consume":
      return consumeBytes(event, terms);
    case "comm": {
      const writer = new BinaryWriter();
      field(writer, 1, consumeBytes(event.consume, terms));
      for (const produce of event.produces) field(writer, 2, produceBytes(produce, terms));
      return writer.finish();
    }
  }
}

function produceBytes({ channel, data }: ReportProduce, terms: TermCodec): Uint8Array {
  const writer = new BinaryWriter();
  field(writer, 1, terms.encodePar(channel));
  field(writer, 2, terms.encodeListParWithRandom(data));
  return writer.finish();
}

function consumeBytes({ channels, patterns, peeks }: ReportConsume, terms: TermCodec): Uint8Array {
  const writer = new BinaryWriter();
  for (const channel of channels) field(writer, 1, terms.encodePar(channel));
  for (const pattern of patterns) field(writer, 2, terms.encodeBindPattern(pattern));
  for (const index of peeks) {
    const peek = new BinaryWriter();
    if (index !== 0) peek.tag(1, WireType.Varint).int32(index);
    field(writer, 4, peek.finish());
  }
  return writer.finish();
}
