import { absentWhenEmpty } from "../wire/Presence.js";
import type { ProtoReader } from "../wire/ProtoReader.js";
import type { BlockForm } from "./BlockForm.js";

const none = {
  write() {},
  read: (reader: ProtoReader, tag: number, end: number) => reader.skip(tag, end),
};

/** Blocks of the reference node. @spec 40 §1.1 */
export const scalaForm: BlockForm = {
  presence: absentWhenEmpty,
  deploy: none,
  slash: none,
  body: none,
  rejectedDeploy: none,
  approvedBlock: none,
};
