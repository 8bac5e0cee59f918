import { eventCloseCodes, eventCloseTexts, refusalStatuses } from "@vedette/api";
import { blockStatuses, type DeployRefusal, refusalText } from "@vedette/chain";
import { CommandError, type CommandFailure } from "@vedette/cli";
import { ClientError, type ClientFailure, WalletError, type WalletFailure } from "@vedette/client";
import { code, page, table } from "../markdown.js";

type Samples<Failure extends { readonly code: string }> = {
  readonly [Code in Failure["code"]]: Extract<Failure, { readonly code: Code }>;
};

const address = "<address>";
const call = "<call>";
const reason = "<reason>";
const deployId = "<deploy id>";

/** One failure of every code: each text is the program's own sentence. */
const clientFailures: Samples<ClientFailure> = {
  unreachable: { code: "unreachable", address: "http://<address>", reason },
  timedOut: { code: "timedOut", address: "http://<address>", call, timeoutMs: 30_000 },
  cancelled: { code: "cancelled", call },
  notOffered: { code: "notOffered", address: "http://<address>", call },
  tooLarge: { code: "tooLarge", address: "http://<address>", call, reason },
  notUnderstood: { code: "notUnderstood", address: "http://<address>", call, reason },
  refused: { code: "refused", call, messages: ["<the node's own words>"] },
  badArgument: { code: "badArgument", call, argument: "<argument>", reason },
  cursorGone: { code: "cursorGone", address, cursor: "<cursor>", oldest: "<oldest>" },
  deployRejected: { code: "deployRejected", blockHash: "<hash>", rejectedBy: "<hash>" },
  deployExpired: { code: "deployExpired" },
  waitedTooLong: { code: "waitedTooLong", what: "<what was waited for did not happen>", timeoutMs: 30_000 },
};

const walletFailures: Samples<WalletFailure> = {
  noAnswer: { code: "noAnswer", what: "<what>", answer: "<answer>" },
  deployFailed: { code: "deployFailed", deployId, reason },
  deployRejected: { code: "deployRejected", deployId, rejectedBy: "<hash>" },
  deployExpired: { code: "deployExpired", deployId },
  refused: { code: "refused", deployId, reason },
};

const commandFailures: Samples<CommandFailure> = {
  noPrivateKey: { code: "noPrivateKey" },
  badPrivateKey: { code: "badPrivateKey", source: "<source>" },
  noTerminal: { code: "noTerminal" },
  noPassword: { code: "noPassword" },
  unreadableFile: { code: "unreadableFile", path: "<file>", reason },
  inputTooLarge: { code: "inputTooLarge", name: "<name>", limit: 16_777_216 },
  badArgument: { code: "badArgument", name: "<argument>", expected: "<what is allowed>" },
  badName: { code: "badName", reason },
  missingArgument: { code: "missingArgument", expected: "<argument>" },
  unexpectedAnswer: { code: "unexpectedAnswer", what: "<what came instead>" },
  callFailed: { code: "callFailed", address, reason },
  noBlock: { code: "noBlock", said: "<the node's own words>", cause: "<why>", remedy: "<what to do>" },
  noDevChain: { code: "noDevChain", url: "http://<address>" },
  noIndex: { code: "noIndex", url: "http://<address>" },
  unsettled: { code: "unsettled", deployId, reason },
};

const deployRefusals: Samples<DeployRefusal> = {
  shard: { code: "shard", given: "<given>", expected: "<expected>" },
  forbiddenKey: { code: "forbiddenKey" },
  phloPrice: { code: "phloPrice", given: 0n, minimum: 1n },
  overflow: { code: "overflow", phloLimit: 2n ** 62n, phloPrice: 4n },
  expiration: { code: "expiration" },
  signature: { code: "signature" },
  resigned: { code: "resigned" },
  leftOut: { code: "leftOut", reason },
  senderWaits: { code: "senderWaits", sender: "key", leftMs: 30_000 },
  tooLarge: { code: "tooLarge", sizeBytes: 2_000_000, limitBytes: 1_000_000 },
  tooMany: { code: "tooMany", limit: 1_000 },
  poolFull: { code: "poolFull", limitBytes: 1_000_000 },
};

/** Writes the page with the errors of a node, the client and the command line. */
export function errorsPage(): string {
  return page(
    "Errors and statuses",
    "the tables and texts in the code that each section names",
    "For developers of clients. Numbers and words in angle brackets represent values of the case.",
    "## HTTP",
    "`packages/services/api/src/http/openapi.ts`. Routes of rnode refuse with 400 and a JSON text (50 §1.3); 429 and 503 come with `Retry-After`.",
    table(["status", "what"], Object.entries(refusalStatuses)),
    "## gRPC",
    "A refused request is not a failed call: `error` of the response has the text (50 §3.2). The call itself fails with `RESOURCE_EXHAUSTED` if the node is overloaded, `DEADLINE_EXCEEDED`, `CANCELLED`, `UNIMPLEMENTED`, and `NOT_FOUND` of health and reflection.",
    "## Closed streams of events",
    "Codes of WebSocket close frames of `/v2/events`: `packages/services/api/src/events/eventKinds.ts`.",
    table(
      ["code", "when"],
      Object.entries(eventCloseCodes).map(([name, number]) => [
        String(number),
        eventCloseTexts[name as keyof typeof eventCloseCodes],
      ]),
    ),
    "## Refused deploys",
    "`packages/core/chain/src/propose/checkDeploy.ts`; example numbers.",
    sentences(deployRefusals, refusalText),
    "## Statuses of blocks",
    "`packages/core/chain/src/validation/BlockStatus.ts`, in the order of the checks (40 §5.1).",
    table(
      ["status", "what", "costs the stake"],
      Object.entries(blockStatuses).map(([name, { meaning, isSlashable }]) => [
        code(name),
        meaning,
        isSlashable ? "yes" : "no",
      ]),
    ),
    "## ClientError",
    "`failure.code` of `@vedette/client`, and `error.code` of commands with `--json`: `packages/services/client/src/failure/ClientError.ts`.",
    sentences(clientFailures, (failure) => new ClientError(failure).message),
    "## WalletError",
    "`packages/services/client/src/wallet/WalletError.ts`.",
    sentences(walletFailures, (failure) => new WalletError(failure).message),
    "## Commands",
    "`error.code` of commands with `--json`, beside those of ClientError: `packages/program/cli/src/client/CommandError.ts`. Other codes: `usage` for an invalid command line, `cancelled` for an interruption, `failed` for anything else.",
    sentences(commandFailures, (failure) => new CommandError(failure).message),
  );
}

function sentences<Failure extends { readonly code: string }>(
  samples: { readonly [code: string]: Failure },
  text: (failure: Failure) => string,
): string {
  return table(
    ["code", "text"],
    Object.values(samples).map((failure) => [code(failure.code), text(failure).replaceAll("<", "&lt;")]),
  );
}
