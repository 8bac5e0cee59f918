import type { Par } from "../model/Par.js";
import { PieceWriter } from "./PieceWriter.js";

/** Writes terms. */
export abstract class TermWriter extends PieceWriter {
  constructor(
    bytes: Uint8Array,
    /** Whether parts that are written a second time keep their encoding. */
    readonly keepsShared = true,
  ) {
    super(bytes);
  }

  /** Writes a term that is part of another; the caller knows the size of its bytes. */
  abstract par(par: Par): void;
}
