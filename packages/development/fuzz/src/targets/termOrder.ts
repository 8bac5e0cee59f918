import { equalBytes } from "@vedette/crypto";
import {
  compareScores,
  decodePar,
  encodePar,
  equalPar,
  type Par,
  sizeOfPar,
  sortPar,
  structuralHash,
} from "@vedette/terms";
import { anyTerm } from "@vedette/terms/testing";
import fc from "fast-check";
import { propertyTarget } from "../driver/propertyTarget.js";
import { must } from "../driver/Target.js";

/** A term, and another that is often nearly the same. */
const values = fc.tuple(anyTerm(2), anyTerm(2), anyTerm(2));

export const termOrder = propertyTarget({
  name: "term-order",
  about:
    "the order of terms is total and transitive, equality is that of the bytes, encoding is the inverse of decoding",
  cost: "expensive",
  files: ["terms/order/", "terms/identity/", "terms/wire/", "terms/model/"],
  values,
  check: (terms) => {
    for (const term of terms) checkOne(term);
    for (const left of terms) for (const right of terms) checkTwo(left, right);
    const sorted = terms.map(sortPar).sort(compareScores);
    must(compareScores(sorted[0]!, sorted[2]!) <= 0, "the order is transitive");
  },
  showValue: (terms) => terms.map((term) => Buffer.from(encodePar(term)).toString("hex")).join(" "),
});

function checkOne(term: Par): void {
  const bytes = encodePar(term);
  must(sizeOfPar(term) === bytes.length, "the size is that of the encoding");
  const decoded = decodePar(bytes);
  must(equalBytes(encodePar(decoded), bytes), "a decoded term is encoded as it was");
  must(equalPar(decoded, term), "a decoded term equals the term");
  must(structuralHash(decoded) === structuralHash(term), "equal terms have one hash");
  must(compareScores(term, term) === 0, "a term is no less than itself");
  const sorted = sortPar(decoded);
  must(equalBytes(encodePar(sortPar(decodePar(encodePar(sorted)))), encodePar(sorted)), "sorting twice is sorting");
  must(compareScores(sorted, term) === 0, "a term has the rank of its sorted form");
}

function checkTwo(left: Par, right: Par): void {
  must(
    Math.sign(compareScores(left, right)) === -Math.sign(compareScores(right, left)) + 0,
    "the order is one of both",
  );
  const isEqual = equalPar(left, right);
  must(isEqual === equalPar(right, left), "equality goes both ways");
  if (equalBytes(encodePar(left), encodePar(right))) must(isEqual, "what has the same bytes is equal");
  if (isEqual) must(structuralHash(left) === structuralHash(right), "equal terms have one hash");
}
