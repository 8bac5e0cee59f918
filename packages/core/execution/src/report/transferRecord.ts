import { ByteWriter } from "@vedette/crypto";
import { ReportError } from "./ReportError.js";
import type { BlockTransfers, DeployTransferGroups, ReportedTransfer, TransferGroup } from "./Transfer.js";

const format = 1;
const hasFailure = 1;
const isReverted = 2;

/** @spec 41 §8.3 */
export function encodeTransfers({ deploys, systemDeploys }: BlockTransfers): Uint8Array {
  const writer = new ByteWriter().u8(format);
  for (const list of [deploys, systemDeploys]) {
    writer.varint(list.length);
    for (const groups of list) {
      writer.varint(groups.length);
      for (const group of groups) {
        writer.varint(group.length);
        for (const transfer of group) writeTransfer(writer, transfer);
      }
    }
  }
  return writer.finish();
}

/** @throws {ReportError} `recordMalformed` */
export function decodeTransfers(bytes: Uint8Array): BlockTransfers {
  const reader = new RecordReader(bytes);
  if (reader.byte() !== format) throw reader.malformed();
  const readAll = () =>
    reader.list((): DeployTransferGroups => reader.list((): TransferGroup => reader.list(readTransfer)));
  const readTransfer = (): ReportedTransfer => {
    const from = reader.text();
    const to = reader.text();
    const amount = reader.int64();
    const answerName = reader.bytes();
    const flags = reader.byte();
    const failure = (flags & hasFailure) === 0 ? undefined : reader.text();
    return { from, to, amount, answerName, failure, isReverted: (flags & isReverted) !== 0 };
  };
  const deploys = readAll();
  const systemDeploys = readAll();
  reader.requireEnd();
  return { deploys, systemDeploys };
}

function writeTransfer(writer: ByteWriter, transfer: ReportedTransfer): void {
  const { from, to, amount, answerName, failure } = transfer;
  writeBytes(writer, encoder.encode(from));
  writeBytes(writer, encoder.encode(to));
  writer.varint64(amount);
  writeBytes(writer, answerName);
  writer.u8((failure === undefined ? 0 : hasFailure) | (transfer.isReverted ? isReverted : 0));
  if (failure !== undefined) writeBytes(writer, encoder.encode(failure));
}

function writeBytes(writer: ByteWriter, bytes: Uint8Array): void {
  writer.varint(bytes.length).bytes(bytes);
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

class RecordReader {
  readonly #bytes: Uint8Array;
  #offset = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  byte(): number {
    const value = this.#bytes[this.#offset];
    if (value === undefined) throw this.malformed();
    this.#offset += 1;
    return value;
  }

  int64(): bigint {
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const next = this.byte();
      value |= BigInt(next & 0x7f) << shift;
      if (next < 0x80) return BigInt.asIntN(64, value);
    }
    throw this.malformed();
  }

  bytes(): Uint8Array {
    const length = Number(this.int64());
    const end = this.#offset + length;
    if (length < 0 || end > this.#bytes.length) throw this.malformed();
    const part = this.#bytes.slice(this.#offset, end);
    this.#offset = end;
    return part;
  }

  text(): string {
    return decoder.decode(this.bytes());
  }

  list<T>(item: () => T): T[] {
    const count = Number(this.int64());
    if (count < 0 || count > this.#bytes.length) throw this.malformed();
    return Array.from({ length: count }, item);
  }

  requireEnd(): void {
    if (this.#offset !== this.#bytes.length) throw this.malformed();
  }

  malformed(): ReportError {
    return new ReportError({ code: "recordMalformed", offset: this.#offset });
  }
}
