import { absentWhenEmpty } from "../wire/Presence.js";
import type { ProtoReader } from "../wire/ProtoReader.js";
import type { BlockCodec } from "./BlockCodec.js";

const none = {
  write() {},
  read: (reader: ProtoReader, tag: number, end: number) => reader.skip(tag, end),
};

/** Blocks of rnode. @spec 40 §1.1 */
export const rnodeForm: BlockCodec = {
  presence: absentWhenEmpty,
  deploy: none,
  slash: none,
  body: none,
  rejectedDeploy: none,
  approvedBlock: none,
};
