import type { InterpreterError, OutputSink, OutputStream } from "@vedette/rholang";
import { type Par, PrintError, type TermCodec } from "@vedette/terms";
import { type DeployFault, type DeployNote, type DeployPrint, emptyNote } from "./DeployNote.js";

/** The limits on the notes of deploys. @spec 41 §8.4 */
export const noteLimits = {
  /** UTF-16 units of one text. */
  text: 1_000,
  faultsOfDeploy: 8,
  printsOfDeploy: 64,
  printsOfBlock: 256,
  /** Bytes of a term: the text of a larger one may be far longer, as indents grow with the square of its depth. */
  termBytes: 4_096,
  /** Bytes of all terms of a block that are printed. */
  blockBytes: 65_536,
} as const;

/** Collects the notes of the deploys of one block, within {@link noteLimits}. @spec 41 §8.4 */
export class DeployNoteCollector {
  readonly #terms: TermCodec;
  #prints: DeployPrint[] = [];
  #isCut = false;
  #printsLeft: number = noteLimits.printsOfBlock;
  #bytesLeft: number = noteLimits.blockBytes;
  /** The room left when the last deploy had been taken. */
  #room = { prints: this.#printsLeft, bytes: this.#bytesLeft };

  /** @param terms of the network; left out: those of rnode's */
  constructor(terms: TermCodec) {
    this.#terms = terms;
  }

  /** Takes what a program writes. */
  readonly output: OutputSink = (stream, term) => {
    if (this.#printsLeft === 0 || this.#prints.length === noteLimits.printsOfDeploy) {
      this.#isCut = true;
      return;
    }
    this.#printsLeft -= 1;
    this.#prints.push(this.#printOf(stream, term));
  };

  /** The note of the deploy that ran since the last time. */
  take(errors: readonly InterpreterError[]): DeployNote {
    if (errors.length === 0 && this.#prints.length === 0 && !this.#isCut) return emptyNote;
    const faults = errors.slice(0, noteLimits.faultsOfDeploy).map((error) => this.#faultOf(error));
    const isCut = this.#isCut || errors.length > faults.length;
    const note = { faults, prints: this.#prints, isCut };
    this.#prints = [];
    this.#isCut = false;
    this.#room = { prints: this.#printsLeft, bytes: this.#bytesLeft };
    return note;
  }

  /** The deploy that ran since the last time is in no block. */
  drop(): void {
    this.#prints = [];
    this.#isCut = false;
    ({ prints: this.#printsLeft, bytes: this.#bytesLeft } = this.#room);
  }

  #printOf(stream: OutputStream, term: Par): DeployPrint {
    const bytes = this.#terms.sizeOfPar(term);
    if (bytes > noteLimits.termBytes || bytes > this.#bytesLeft) {
      this.#isCut = true;
      return { stream, text: `(a term of ${bytes} bytes)` };
    }
    this.#bytesLeft -= bytes;
    return { stream, text: this.#cut(printed(term, this.#terms)) };
  }

  #faultOf(error: InterpreterError): DeployFault {
    const fault = faultOf(error);
    return { ...fault, text: this.#cut(fault.text) };
  }

  #cut(text: string): string {
    if (text.length <= noteLimits.text) return text;
    this.#isCut = true;
    return `${text.slice(0, noteLimits.text - 1)}…`;
  }
}

/** Why a program failed, worded as in other reports; bounded in number and length by {@link noteLimits}. @spec 41 §8.4 */
export function faultsOf(errors: readonly InterpreterError[]): DeployFault[] {
  return errors.slice(0, noteLimits.faultsOfDeploy).map((error) => {
    const fault = faultOf(error);
    return { ...fault, text: fault.text.slice(0, noteLimits.text) };
  });
}

function faultOf({ failure, message }: InterpreterError): DeployFault {
  const at = "at" in failure ? failure.at : undefined;
  // Quirk 20 §2.3: terms from desugaring, and wildcards, have no place.
  const place = at === undefined || at.line < 1 ? {} : { line: at.line, column: at.column };
  return { class: failure.class, text: message, ...place };
}

function printed(term: Par, { printPar }: TermCodec): string {
  try {
    return printPar(term);
  } catch (error) {
    if (error instanceof PrintError) return `(${error.message})`;
    throw error;
  }
}
