import { create, toBinary, type UnknownField } from "@bufbuild/protobuf";
import { BinaryReader } from "@bufbuild/protobuf/wire";
import { decodePar, encodePar, type Par, type TermCodec } from "@vedette/terms";
import {
  type BindPattern,
  BindPatternSchema,
  type Par as ParMessage,
  ParSchema,
} from "../generated/rhoapi/terms_pb.js";

/**
 * A term as a message of the API.
 *
 * Its fields stay in the encoding of the tuple space: the message is written byte for byte as {@link encodePar} wrote
 * it, however deep the term is. The message's own properties are not filled.
 *
 * @spec 50 §3.3, 20 §10
 */
export function parMessage(par: Par): ParMessage {
  return parMessageOfBytes(encodePar(par));
}

/** As {@link parMessage}, of a term that is encoded already. */
export function parMessageOfBytes(bytes: Uint8Array): ParMessage {
  const message = create(ParSchema);
  message.$unknown = fieldsOf(bytes);
  return message;
}

/** A pattern of a waiting receive, in the encoding of the tuple space. @spec 50 §3.3 */
export function bindPatternMessageOfBytes(bytes: Uint8Array): BindPattern {
  const message = create(BindPatternSchema);
  message.$unknown = fieldsOf(bytes);
  return message;
}

/** Decodes the term of a message, with rnode's codec unless another is given. @throws {DecodeError} @spec 50 §3.3 */
export function parOfMessage(message: ParMessage, terms: Pick<TermCodec, "decodePar"> = { decodePar }): Par {
  return terms.decodePar(toBinary(ParSchema, message));
}

function fieldsOf(bytes: Uint8Array): UnknownField[] {
  const reader = new BinaryReader(bytes);
  const fields: UnknownField[] = [];
  while (reader.pos < reader.len) {
    const [no, wireType] = reader.tag();
    fields.push({ no, wireType, data: reader.skip(wireType, no) });
  }
  return fields;
}
