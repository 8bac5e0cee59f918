import { blake2b256 } from "@vedette/crypto";
import { channelHash } from "@vedette/terms";
import { consumeEvent, produceEvent } from "../event/eventHash.js";
import { Datum } from "../leaf/Datum.js";
import { encodeJoin, Join } from "../leaf/Join.js";
import { Leaf } from "../leaf/Leaf.js";
import { WaitingContinuation } from "../leaf/WaitingContinuation.js";
import { rnodeRules } from "../rules/rnodeRules.js";
import type { SpaceDialect } from "./SpaceDialect.js";

/** The hashed and stored forms of rnode networks. @spec 30 §2, §4 */
export const rnodeSpace: SpaceDialect = {
  rules: rnodeRules,
  channelHash,
  produceEvent,
  consumeEvent,
  datum: (content, persist, source) => Datum.of(content, persist, source),
  waiting: (fields) => WaitingContinuation.of(fields),
  leafOfData: (items) => Leaf.ofData(items),
  leafOfContinuations: (items) => Leaf.ofContinuations(items),
  leafOfJoins: (lists) => Leaf.ofJoins(lists.map((channels) => Join.decode(encodeJoin(channels)))),
  decodeLeaf: (hash, bytes) => Leaf.decode(hash, bytes),
  leafHash: blake2b256,
  pagesAreSets: false,
};
