import { channelHash } from "../identity/channelHash.js";
import { compareSortedBinds } from "../order/compare.js";
import { rnodeAtoms } from "../order/compareAtoms.js";
import { makeMap } from "../order/makeMap.js";
import { makeSet } from "../order/makeSet.js";
import { compareScores, sortPar, sortReceiveBind } from "../order/sortPar.js";
import { printPar } from "../print/printTerm.js";
import { decodePar } from "../wire/decode.js";
import { encodePar } from "../wire/encode.js";
import {
  encodeBindPattern,
  encodeContinuation,
  encodeListParWithRandom,
  sizeOfBindPattern,
  sizeOfListParWithRandom,
} from "../wire/encodeTagged.js";
import { sizeOfPar } from "../wire/size.js";
import type { TermCodec } from "./TermCodec.js";

/** The terms of rnode's networks: hashed and stored in protobuf. @spec 20 §10 */
export const rnodeTerms: TermCodec = {
  decodePar,
  encodePar,
  sizeOfPar,
  sizeOfListParWithRandom,
  sizeOfBindPattern,
  encodeListParWithRandom,
  encodeBindPattern,
  printPar,
  storedPar: encodePar,
  storedListParWithRandom: encodeListParWithRandom,
  storedBindPattern: encodeBindPattern,
  storedContinuation: encodeContinuation,
  channelHash,
  sortPar,
  compareScores,
  sortReceiveBind: (bind) => sortReceiveBind(bind, rnodeAtoms),
  compareSortedBinds: (left, right) => compareSortedBinds(left, right, rnodeAtoms),
  makeSet: (elements, free, used, remainder) => makeSet(elements, free, used, remainder, rnodeAtoms),
  makeMap: (pairs, free, used, remainder) => makeMap(pairs, free, used, remainder, rnodeAtoms),
};
