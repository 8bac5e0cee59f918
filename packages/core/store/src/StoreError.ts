import { errorClass } from "@vedette/errors";
import type { TableName } from "./tables.js";

/** Why a store cannot be opened or written. */
export type StoreFailure =
  | { readonly code: "missing"; readonly path: string }
  | { readonly code: "notADirectory"; readonly path: string }
  | { readonly code: "notAllowed"; readonly path: string; readonly readOnly: boolean }
  | { readonly code: "foreign"; readonly path: string }
  | { readonly code: "otherFormat"; readonly path: string; readonly found: string; readonly expected: string }
  | {
      readonly code: "damaged";
      readonly path: string;
      readonly reason: string;
      /** Where it is one value. */
      readonly table?: TableName;
      readonly key?: Uint8Array;
    }
  | { readonly code: "full"; readonly path: string }
  | { readonly code: "reserved"; readonly path: string; readonly freeBytes: number; readonly reserveBytes: number }
  | { readonly code: "noRoom"; readonly path: string; readonly neededBytes: number; readonly roomBytes: number }
  | { readonly code: "readOnly"; readonly path: string }
  | { readonly code: "closed"; readonly path: string }
  | { readonly code: "keySize"; readonly sizeBytes: number; readonly limitBytes: number }
  | { readonly code: "unknownTable"; readonly table: string }
  | { readonly code: "failed"; readonly path: string; readonly reason: string };

/** The data directory or a table cannot be used; the message states what to do. @spec 30 §5.8 */
export class StoreError extends errorClass<string, StoreFailure>("StoreError", sentence) {
  override readonly name = ["full", "reserved"].includes(this.failure.code) ? diskFullName : storeErrorName;
}

/** The name of an error identifies its class on another thread. */
const diskFullName = "DiskFullError";
const storeErrorName = "StoreError";

/** Whether something could not be written because the disk has too little room, on whatever thread that was. */
export function isDiskFull(error: unknown): boolean {
  return error instanceof Error && error.name === diskFullName;
}

/** Whether the disk is what failed, on whatever thread that was: then nothing is known of what was to be executed. */
export function isStoreFailure(error: unknown): boolean {
  return isDiskFull(error) || (error instanceof Error && error.name === storeErrorName);
}

function sentence(failure: StoreFailure): string {
  switch (failure.code) {
    case "missing":
      return `There is no data in ${failure.path}; start the node once to create it, or check the data directory's path`;
    case "notADirectory":
      return `${failure.path} is not a directory; choose another data directory`;
    case "notAllowed":
      return `${failure.path} cannot be ${failure.readOnly ? "read" : "written"}; check its owner and permissions, and that the disk is not mounted read-only`;
    case "foreign":
      return `${failure.path} holds files that are not Vedette's; choose an empty directory`;
    case "otherFormat":
      return `${failure.path} was written in format ${failure.found}, this version uses ${failure.expected}; use the version that wrote it, or an empty data directory; nothing was changed`;
    case "damaged":
      return `The data in ${failure.path}/data.mdb is damaged (${failure.reason}); check the disk, then run \`vedette db verify --repair\` with the node stopped`;
    case "full":
      return `The disk of ${failure.path} is full; free some space, nothing was lost`;
    case "reserved":
      return `The disk of ${failure.path} has ${megabytes(failure.freeBytes)} free, and the last ${megabytes(failure.reserveBytes)} are not written to; free some space, nothing was lost`;
    case "noRoom":
      return `To write ${failure.path} anew takes ${Math.ceil(failure.neededBytes / 1e6)} MB, and ${Math.floor(failure.roomBytes / 1e6)} MB are free on its disk; free some space, nothing was changed`;
    case "readOnly":
      return `${failure.path} was opened for reading only`;
    case "closed":
      return `${failure.path} is closed already`;
    case "keySize":
      return `A key of ${failure.sizeBytes} bytes is not possible; keys have 1 to ${failure.limitBytes} bytes`;
    case "unknownTable":
      return `This store was opened without the table ${failure.table}`;
    case "failed":
      return `The store in ${failure.path} failed: ${failure.reason}`;
  }
}

function megabytes(bytes: number): string {
  return bytes < 10_000_000 ? `${(bytes / 1e6).toFixed(1)} MB` : `${Math.round(bytes / 1e6)} MB`;
}
