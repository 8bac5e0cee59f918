import type { ProduceEvent } from "@vedette/protocol";
import { f1r3nodeTerms, type ListParWithRandom } from "@vedette/terms";
import { encodeBincodeDatum, readBincodeData, readBincodeDatum } from "../bincode/bincodeLeaf.js";
import { Datum } from "../leaf/Datum.js";

/**
 * A datum as f1r3node networks keep it. What comes from the history has no sets of free variables.
 *
 * @spec 61 §2.2
 */
export class F1r3nodeDatum extends Datum {
  static override of(content: ListParWithRandom, persist: boolean, source: ProduceEvent): F1r3nodeDatum {
    return new F1r3nodeDatum(persist, content, source, undefined);
  }

  /** @throws {LeafError} `corrupted` */
  static override decode(bytes: Uint8Array): F1r3nodeDatum {
    const { content, persist, source } = readBincodeDatum(bytes);
    return new F1r3nodeDatum(persist, content, source, bytes);
  }

  /** Makes a datum from its stored bytes. */
  static asStored({ persist, source, encoding }: Datum): F1r3nodeDatum {
    return new F1r3nodeDatum(persist, undefined, source, encoding);
  }

  protected override readContent(bytes: Uint8Array): ListParWithRandom {
    return readBincodeData(bytes);
  }

  protected override readSource(bytes: Uint8Array): ProduceEvent {
    return readBincodeDatum(bytes).source;
  }

  protected override write(): Uint8Array {
    const content = f1r3nodeTerms.storedListParWithRandom(this.a);
    return encodeBincodeDatum({ content, persist: this.persist, source: this.source });
  }
}
