import type { SignatureRules } from "@vedette/crypto";
import { type BlockForm, rnodeRust } from "@vedette/protocol";
import { rustTerms, scalaTerms, type TermForm } from "@vedette/terms";

/** What of the answers about a chain differs between dialects, over HTTP and gRPC alike. @spec 50 §10 */
export interface AnswerRules {
  /** What becomes of a question for more blocks than are told at once. */
  readonly beyondLimit: "refuse" | "clamp";
  /** Whether programs are told what they cost. */
  readonly tellsCost: boolean;
  /** Whether deploys are told with what they moved. */
  readonly tellsTransfers: boolean;
  /** Whether validators in dev mode report of blocks, too. */
  readonly reportsInDevMode: boolean;
  /** Whether who looks for a deploy is told how final it is, too. */
  readonly tellsFate: boolean;
  /** Whether a key is looked at that is asked about: all that is none has no stake. */
  readonly checksKeys: boolean;
  /** What stands between the words of an accepted deploy. */
  readonly acceptedGap: " " | "\n";
  /** Which signatures of deploys are valid. */
  readonly signatureRules: SignatureRules;
  /** Where the registry has proof of stake. */
  readonly proofOfStake: string;
  /** How names become bytes, by which it is told what lies on them. */
  readonly terms: TermForm;
}

/** @spec 50 §1 */
export const scalaAnswers: AnswerRules = {
  beyondLimit: "refuse",
  tellsCost: false,
  tellsTransfers: false,
  reportsInDevMode: false,
  tellsFate: false,
  checksKeys: false,
  acceptedGap: " ",
  signatureRules: "scala",
  proofOfStake: "rho:rchain:pos",
  terms: scalaTerms,
};

/** @spec 50 §10 */
export const rustAnswers: AnswerRules = {
  beyondLimit: "clamp",
  tellsCost: true,
  tellsTransfers: true,
  reportsInDevMode: true,
  tellsFate: true,
  checksKeys: true,
  acceptedGap: "\n",
  signatureRules: "rust",
  proofOfStake: "rho:system:pos",
  terms: rustTerms,
};

/** By the form that a chain's blocks have; left out: the reference node's. */
export function answerRulesOf(form: BlockForm | undefined): AnswerRules {
  return form === rnodeRust.blockForm ? rustAnswers : scalaAnswers;
}
