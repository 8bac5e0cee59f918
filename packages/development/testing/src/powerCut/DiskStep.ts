import { readFileSync } from "node:fs";

/** One thing that a program did to the files below its folder; paths are as it named them, absolute. */
export type DiskStep =
  | { readonly kind: "create" | "makeFolder"; readonly file: bigint; readonly path: string }
  | {
      readonly kind: "write";
      readonly file: bigint;
      readonly offset: number;
      readonly bytes: Uint8Array;
      /** On disk when the call returned. */
      readonly isSynced: boolean;
    }
  | { readonly kind: "truncate"; readonly file: bigint; readonly length: number }
  | { readonly kind: "sync"; readonly file: bigint; readonly path: string }
  | { readonly kind: "rename"; readonly from: string; readonly to: string }
  | { readonly kind: "unlink" | "removeFolder"; readonly path: string }
  /** The text that the program wrote into its file of marks: its promises by now. */
  | { readonly kind: "mark"; readonly text: string }
  /** The file may be written by way of memory from here on, of which nothing is recorded. */
  | { readonly kind: "mapped"; readonly file: bigint; readonly path: string };

const headBytes = 32;

/** Reads what `writeRecorder.c` has written. @throws TypeError when it is not whole */
export function readDiskSteps(tracePath: string): DiskStep[] {
  const trace = readFileSync(tracePath);
  const steps: DiskStep[] = [];
  for (let at = 0; at < trace.length; ) {
    if (at + headBytes > trace.length) throw new TypeError(`the record ends within an entry, at byte ${at}`);
    const first = at + headBytes;
    const second = first + trace.readUInt32LE(at + 24);
    const end = second + trace.readUInt32LE(at + 28);
    if (end > trace.length) throw new TypeError(`the record ends within an entry, at byte ${at}`);
    steps.push(stepOf(trace, at, trace.subarray(first, second), trace.subarray(second, end)));
    at = end;
  }
  return steps;
}

function stepOf(trace: Buffer, at: number, first: Buffer, second: Buffer): DiskStep {
  const isSynced = (trace.readUInt32LE(at + 4) & 1) !== 0;
  const file = trace.readBigUInt64LE(at + 8);
  const offset = Number(trace.readBigUInt64LE(at + 16));
  const path = first.toString();
  const kind = trace.readUInt32LE(at);
  switch (kind) {
    case 1:
      return { kind: "create", file, path };
    case 2:
      return { kind: "write", file, offset, bytes: first, isSynced };
    case 3:
      return { kind: "truncate", file, length: offset };
    case 4:
      return { kind: "sync", file, path };
    case 5:
      return { kind: "rename", from: path, to: second.toString() };
    case 6:
      return { kind: "unlink", path };
    case 7:
      return { kind: "makeFolder", file, path };
    case 8:
      return { kind: "removeFolder", path };
    case 9:
      return { kind: "mark", text: path };
    case 10:
      return { kind: "mapped", file, path };
    default:
      throw new TypeError(`an entry of kind ${kind} at byte ${at}`);
  }
}
