import type { Par } from "../model/Par.js";
import { PieceReader } from "./PieceReader.js";

/** Reads terms. */
export abstract class TermReader extends PieceReader {
  /** A term, up to the end of the window. */
  abstract par(): Par;
}
