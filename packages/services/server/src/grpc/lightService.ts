import { Code, ConnectError, type ConnectRouter, type HandlerContext, type ServiceImpl } from "@connectrpc/connect";
import { explorationLimits, maxPieces } from "@vedette/api";
import { Light } from "@vedette/api/grpc";
import { fromHex, toHex } from "@vedette/crypto";
import type { StatePiece } from "@vedette/executor";
import { ApiError, type ApiQueries, Overload, StateQueryError, type StateQuestion } from "@vedette/queries";
import { callRoom } from "./AnswerRooms.js";
import type { OnFailure } from "./answer.js";
import { callClient } from "./callClient.js";

/** The sources of the methods' answers. */
interface Reads extends Pick<ApiQueries, "light" | "states" | "blocks"> {
  readonly onFailure: OnFailure;
}

type Methods = ServiceImpl<typeof Light>;

const hashBytes = 32;
/** The limit of a request without a program. */
const maxRequestBytes = 65_536;
/** A character has up to three bytes. */
const maxProgramBytes = 3 * explorationLimits.termCharacters + maxRequestBytes;
const maxNames = 16;
const kinds = ["data", "continuations", "joins"] as const;

/** `vedette.v1.Light`: what the routes of 70 §9 answer, by the same turns. @spec 70 §9.4 */
export function registerLight(
  router: ConnectRouter,
  { light, states, blocks }: Pick<ApiQueries, "light" | "states" | "blocks">,
  onFailure: OnFailure,
): void {
  const reads: Reads = { light, states, blocks, onFailure };
  router.service(Light, { ...blockMethods(reads), ...stateMethods(reads) }, { readMaxBytes: maxRequestBytes });
  router.rpc(Light.method.explore, exploreMethod(reads), { readMaxBytes: maxProgramBytes });
}

function blockMethods(reads: Reads): Pick<Methods, "checkpoint" | "block" | "update" | "path" | "deploy"> {
  const { light, blocks, onFailure } = reads;
  return {
    checkpoint: ({ blockNumber }, context) =>
      byStatus(onFailure, async () => {
        const { client, signal } = askingOf(context);
        const {
          blockHash,
          blockNumber: number,
          timestamp,
          ...facts
        } = await light.checkpoint(blockNumber, client, signal);
        return { ...facts, blockHash: fromHex(blockHash), blockNumber: BigInt(number), timestamp: BigInt(timestamp) };
      }),
    block: ({ blockHash }, context) =>
      byStatus(onFailure, async () => {
        const found = blocks.find(hashOf(blockHash, "blockHash"));
        if (found === undefined || blocks.lengthOf(found) === 0)
          throw new StateQueryError({ code: "unknownBlock", field: "blockHash", hash: toHex(blockHash) });
        await context.values.get(callRoom)(blocks.lengthOf(found));
        return { block: blocks.bytesOf(found) };
      }),
    async *update({ trusted, thresholdPpm, packed: wantsPacked }, context) {
      const { client, signal } = askingOf(context);
      const question = { trusted: hexOf(trusted, "trusted"), thresholdPpm, packed: wantsPacked };
      const answer = await byStatus(onFailure, () => light.update(question, client, signal));
      const { target, packed, blocks: digits } = answer;
      await context.values.get(callRoom)(digits.reduce((sum, { length }) => sum + length, packed?.length ?? 0) / 2);
      const place = ({ hash, number }: typeof answer.trusted) => ({ blockHash: hash, blockNumber: number });
      const ends = { trusted: place(answer.trusted), ...(target !== undefined && { target: place(target) }) };
      yield { part: { case: "ends" as const, value: ends } };
      if (packed !== undefined) yield { part: { case: "packed" as const, value: fromHex(packed) } };
      for (const one of digits) yield { part: { case: "block" as const, value: fromHex(one) } };
    },
    async *path({ from, end }, context) {
      const bounds =
        end.case === "to" ? { to: hexOf(end.value, "to") } : end.case === undefined ? {} : { number: end.value };
      const question = { from: hexOf(from, "from"), ...bounds };
      yield* blocksOf(await byStatus(onFailure, async () => light.paths.path(question, askingOf(context))), context);
    },
    async *deploy({ deployId, from }, context) {
      const [id, top] = [toHex(deployId), hexOf(from, "from")];
      yield* blocksOf(await byStatus(onFailure, async () => light.paths.deploy(id, top, askingOf(context))), context);
    },
  };
}

function stateMethods({ light, states, onFailure }: Reads): Pick<Methods, "proof" | "registry" | "pieces"> {
  return {
    proof: ({ root, kind, names }, context) =>
      byStatus(onFailure, async () => {
        const { client, signal } = askingOf(context);
        const question = proofQuestion(hexOf(root, "root"), kind, names);
        const { proof } = await states.entries(question, client, signal);
        const { format, channels, nodes, leaf, ...facts } = proof!;
        const size = nodes.reduce((sum, { length }) => sum + length / 2, (leaf?.length ?? 0) / 2);
        await context.values.get(callRoom)(size);
        return {
          ...{ format, kind: facts.kind, root: fromHex(facts.root) },
          ...{ channels: channels.map(fromHex), nodes: nodes.map(fromHex) },
          ...(leaf !== null && { leaf: fromHex(leaf) }),
        };
      }),
    registry: ({ uri, blockHash }, context) =>
      byStatus(onFailure, async () => {
        const block = hexOf(blockHash, "blockHash");
        return piecesOf(await light.pieces.registry(uri, block, askingOf(context)), context);
      }),
    pieces: ({ hashes }, context) =>
      byStatus(onFailure, async () => {
        if (hashes.length === 0 || hashes.length > maxPieces)
          throw unfit("hashes", `must have 1 to ${maxPieces} items`);
        const asked = hashes.map((hash) => hashOf(hash, "hashes"));
        const { client, signal } = askingOf(context);
        const found = await states.pieces(asked, client, signal);
        return piecesOf(
          found.map((bytes, index) => ({ hash: asked[index]!, bytes })),
          context,
        );
      }),
  };
}

function exploreMethod({ light, onFailure }: Reads): Methods["explore"] {
  return ({ term, blockHash }, context) =>
    byStatus(onFailure, async () => {
      const { termCharacters } = explorationLimits;
      if (term.length > termCharacters) throw unfit("term", `must have at most ${termCharacters} characters`);
      const block = hexOf(blockHash, "blockHash");
      return piecesOf(await light.pieces.program(term, block, askingOf(context)), context);
    });
}

function proofQuestion(root: string, text: string, names: readonly Uint8Array[]): StateQuestion {
  const kind = kinds.find((one) => one === text);
  if (kind === undefined) throw unfit("kind", `must be ${kinds.join(" or ")}`);
  const most = kind === "continuations" ? maxNames : 1;
  if (names.length === 0 || names.length > most) throw unfit("names", `must have 1 to ${most} items`);
  const pars = names.map((bytes) => ({ form: "par" as const, bytes }));
  return { root, which: "post", kind, names: pars, withBytes: false, anchor: "root", most: 0 };
}

async function* blocksOf(blocks: readonly Uint8Array[], { values }: HandlerContext) {
  await values.get(callRoom)(blocks.reduce((sum, { length }) => sum + length, 0));
  for (const block of blocks) yield { block };
}

async function piecesOf(
  found: readonly { readonly hash: Uint8Array; readonly bytes: StatePiece["bytes"] | undefined }[],
  { values }: HandlerContext,
) {
  await values.get(callRoom)(found.reduce((sum, { bytes }) => sum + (bytes?.length ?? 0), 0));
  return { pieces: found.map(({ hash, bytes }) => ({ hash, ...(bytes !== undefined && { bytes }) })) };
}

function askingOf({ values, signal }: HandlerContext) {
  return { client: values.get(callClient), signal };
}

function hexOf(hash: Uint8Array, field: string): string {
  return toHex(hashOf(hash, field));
}

function hashOf(hash: Uint8Array, field: string): Uint8Array {
  if (hash.length !== hashBytes) throw unfit(field, `must have ${hashBytes} bytes`);
  return hash;
}

function unfit(field: string, problem: string): ConnectError {
  return new ConnectError(`${field} ${problem}.`, Code.InvalidArgument);
}

/** As the statuses of the HTTP routes. @throws {ConnectError} @spec 70 §9.4 */
async function byStatus<T>(onFailure: OnFailure, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ConnectError) throw error;
    if (error instanceof StateQueryError) throw new ConnectError(error.message, codes[error.failure.code]);
    if (error instanceof Overload) throw new ConnectError(error.message, Code.ResourceExhausted);
    if (error instanceof ApiError) throw new ConnectError(error.message, Code.FailedPrecondition);
    onFailure(error);
    throw new ConnectError("The node failed; its log says how.", Code.Internal);
  }
}

const codes: Readonly<Record<StateQueryError["failure"]["code"], Code>> = {
  badRequest: Code.InvalidArgument,
  unknownBlock: Code.NotFound,
  noState: Code.NotFound,
  notAllowed: Code.PermissionDenied,
  tooMany: Code.ResourceExhausted,
  notRunning: Code.Unavailable,
  busy: Code.Unavailable,
  gaveUp: Code.Unavailable,
};
