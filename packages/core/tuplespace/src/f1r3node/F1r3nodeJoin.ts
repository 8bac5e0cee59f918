import { BincodeReader, type Par, readStoredPar } from "@vedette/terms";
import { decodeBincodeJoin } from "../bincode/bincodeLeaf.js";
import { Join } from "../leaf/Join.js";
import { corrupted } from "../leaf/LeafError.js";

/** A list of channels as f1r3node networks keep it, in the order of the binds. @spec 61 §2.2 */
export class F1r3nodeJoin extends Join {
  /** @throws {LeafError} `corrupted` */
  static override decode(encoding: Uint8Array): F1r3nodeJoin {
    const parts = decodeBincodeJoin(encoding);
    if (parts.length === 0) throw corrupted("A join has no channels.");
    return new F1r3nodeJoin(encoding, parts);
  }

  /** Makes a join with known channels. @param parts each channel in bincode */
  static ofParts(encoding: Uint8Array, parts: readonly Uint8Array[]): F1r3nodeJoin {
    return new F1r3nodeJoin(encoding, parts);
  }

  protected override readChannel(part: Uint8Array): Par {
    return readStoredPar(new BincodeReader(part));
  }
}
