import type { SignatureRules } from "@vedette/crypto";
import { type BlockCodec, f1r3node } from "@vedette/protocol";
import { f1r3nodeForms, type ProgramForms, rnodeForms } from "@vedette/rholang";
import { f1r3nodeTerms, rnodeTerms, type TermCodec } from "@vedette/terms";

/** The parts of answers about a chain that differ between dialects, over HTTP and gRPC alike. @spec 50 §10 */
export interface AnswerRules {
  /** The treatment of a request for more blocks than one answer may have. */
  readonly beyondLimit: "refuse" | "clamp";
  /** Whether answers to explorations have the program's cost. */
  readonly reportsCost: boolean;
  /** Whether deploys are shown with what they moved. */
  readonly reportsTransfers: boolean;
  /** Whether validators in dev mode report of blocks, too. */
  readonly reportsInDevMode: boolean;
  /** Whether the answer to a search for a deploy has its finality, too. */
  readonly reportsStatus: boolean;
  /** Whether a requested key is checked: every invalid one has no stake. */
  readonly checksKeys: boolean;
  /** The text between the words of an accepted deploy. */
  readonly acceptedGap: " " | "\n";
  /** Which signatures of deploys are valid. */
  readonly signatureRules: SignatureRules;
  /** Where the registry has proof of stake. */
  readonly proofOfStake: string;
  /** Encodes names as bytes, by which data and continuations on them are found. */
  readonly terms: TermCodec;
  /** How programs become terms, by which a contract is compared with its source. */
  readonly programs: ProgramForms;
}

/** @spec 50 §1 */
const rnodeAnswers: AnswerRules = {
  beyondLimit: "refuse",
  reportsCost: false,
  reportsTransfers: false,
  reportsInDevMode: false,
  reportsStatus: false,
  checksKeys: false,
  acceptedGap: " ",
  signatureRules: "rnode",
  proofOfStake: "rho:rchain:pos",
  terms: rnodeTerms,
  programs: rnodeForms,
};

/** @spec 50 §10 */
const f1r3nodeAnswers: AnswerRules = {
  beyondLimit: "clamp",
  reportsCost: true,
  reportsTransfers: true,
  reportsInDevMode: true,
  reportsStatus: true,
  checksKeys: true,
  acceptedGap: "\n",
  signatureRules: "f1r3node",
  proofOfStake: "rho:system:pos",
  terms: f1r3nodeTerms,
  programs: f1r3nodeForms,
};

/** By the form that a chain's blocks have; left out: rnode's. */
export function answerRulesOf(form: BlockCodec | undefined): AnswerRules {
  return form === f1r3node.blockForm ? f1r3nodeAnswers : rnodeAnswers;
}
