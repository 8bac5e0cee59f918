import { ProtoReader } from "../wire/ProtoReader.js";
import { ProtoWriter } from "../wire/ProtoWriter.js";
import { WireError } from "../wire/WireError.js";

/** The extension's name. @spec 40 §19 */
export const deployRelay = "deploys.1";

/** Bytes of a deploy's id between nodes: Blake2b-256 of its signature. @spec 40 §19 */
export const relayIdBytes = 32;
/** Ids in one question. @spec 40 §19 */
export const maxRelayIds = 100;
/** Deploys in one answer. */
const maxDeploys = 100;

/** "I have taken these deploys; give me those." @spec 40 §19 */
export interface DeployRelayRequest {
  readonly offered: readonly Uint8Array[];
  readonly wanted: readonly Uint8Array[];
}

export function encodeDeployRelayQuestion({ offered, wanted }: DeployRelayRequest): Uint8Array {
  const writer = new ProtoWriter();
  for (const id of offered) writer.bytesElement(0x0a, id);
  for (const id of wanted) writer.bytesElement(0x12, id);
  return writer.finish();
}

/** @throws {WireError} where there are too many ids, or one of another length */
export function decodeDeployRelayQuestion(bytes: Uint8Array): DeployRelayRequest {
  const reader = new ProtoReader(bytes);
  const offered: Uint8Array[] = [];
  const wanted: Uint8Array[] = [];
  while (reader.offset < bytes.length) {
    const { offset } = reader;
    const tag = reader.tag(0, 0);
    if (tag !== 0x0a && tag !== 0x12) {
      reader.skip(tag, bytes.length);
      continue;
    }
    const id = reader.bytesField(bytes.length);
    if (id.length !== relayIdBytes) throw new WireError({ code: "truncated", offset });
    if (offered.length + wanted.length >= maxRelayIds)
      throw new WireError({ code: "tooManyItems", offset, limit: maxRelayIds });
    (tag === 0x0a ? offered : wanted).push(id);
  }
  return { offered, wanted };
}

/** @param deploys each as `encodeDeploy` makes it */
export function encodeDeployRelayAnswer(deploys: readonly Uint8Array[]): Uint8Array {
  const writer = new ProtoWriter();
  for (const deploy of deploys) writer.bytesElement(0x0a, deploy);
  return writer.finish();
}

/** @throws {WireError} */
export function decodeDeployRelayAnswer(bytes: Uint8Array): readonly Uint8Array[] {
  const reader = new ProtoReader(bytes);
  const deploys: Uint8Array[] = [];
  while (reader.offset < bytes.length) {
    const tag = reader.tag(0, 0);
    if (tag !== 0x0a) {
      reader.skip(tag, bytes.length);
      continue;
    }
    if (deploys.length >= maxDeploys)
      throw new WireError({ code: "tooManyItems", offset: reader.offset, limit: maxDeploys });
    deploys.push(reader.bytesField(bytes.length));
  }
  return deploys;
}
