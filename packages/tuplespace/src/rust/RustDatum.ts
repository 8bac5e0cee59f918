import type { ProduceEvent } from "@vedette/protocol";
import { BincodeReader, type ListParWithRandom, readStoredListParWithRandom, rustTerms } from "@vedette/terms";
import { decodeBincodeDatum, encodeBincodeDatum } from "../bincode/bincodeLeaf.js";
import { Datum } from "../leaf/Datum.js";

/**
 * A datum as networks of the newer node keep it. What comes from the history has no sets of free variables.
 *
 * @spec 61 §2.2
 */
export class RustDatum extends Datum {
  static override of(content: ListParWithRandom, persist: boolean, source: ProduceEvent): RustDatum {
    return new RustDatum(persist, content, source, undefined);
  }

  /** @throws {LeafError} `corrupted` */
  static override decode(bytes: Uint8Array): RustDatum {
    const { persist, source } = decodeBincodeDatum(bytes);
    return new RustDatum(persist, undefined, source, bytes);
  }

  protected override readContent(bytes: Uint8Array): ListParWithRandom {
    const { content } = decodeBincodeDatum(bytes);
    const data = readStoredListParWithRandom(new BincodeReader(content));
    data.cachedEncoding = content;
    return data;
  }

  protected override readSource(bytes: Uint8Array): ProduceEvent {
    return decodeBincodeDatum(bytes).source;
  }

  protected override write(): Uint8Array {
    const content = rustTerms.storedListParWithRandom(this.a);
    return encodeBincodeDatum({ content, persist: this.persist, source: this.source });
  }
}
