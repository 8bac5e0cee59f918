import { type DescMessage, fromBinary, type MessageShape } from "@bufbuild/protobuf";
import {
  DeployDataProtoSchema,
  DeployResponseSchema,
  DeployService,
  FindDeployResponseSchema,
  ProposeResponseSchema,
  ProposeResultResponseSchema,
  ProposeService,
} from "@vedette/api/grpc";
import { fromHex, toHex } from "@vedette/crypto";
import { encodeDeploy, rnode } from "@vedette/protocol";
import type { CaseBook } from "./CaseBook.js";
import { type ClientCallResult, type ClientCase, runClient } from "./ClientRun.js";
import type { ClientProgram } from "./clientPrograms.js";
import { type ServedNodes, userDeploy } from "./ServedNodes.js";

/** The answers of the validator to a client. */
export interface ValidatorResponses {
  /** The id of the deploy, hexadecimal. */
  readonly id: string;
  readonly accepted: string;
  readonly refused: string;
  /** The texts of both methods, and the hash of the deploy's block; of clients that speak gRPC itself. */
  readonly block?: { readonly proposed: string; readonly result: string; readonly hash: string };
}

/** Has a client hand in a deploy, have a block made of it, and look for it. */
export async function atValidator(
  program: ClientProgram,
  book: CaseBook,
  nodes: ServedNodes,
): Promise<ValidatorResponses> {
  const { ports } = nodes.validator;
  const deploy = userDeploy(`@"${program.name}"!(1)`, Date.now());
  const message = fromBinary(DeployDataProtoSchema, encodeDeploy(deploy, rnode.blockForm));
  const { doDeploy, findDeploy } = DeployService.method;
  const { propose, proposeResult } = ProposeService.method;
  const change = { shows: true };
  const open = { change, port: ports.grpcExternal };
  const own = { change, port: ports.grpcInternal };
  const cases: readonly ClientCase[] = [
    book.caseFor({ ...open, name: "deploy", method: doDeploy, message }),
    book.caseFor({ ...open, name: "forged", method: doDeploy, message: { ...message, term: "@0!(0)" } }),
    ...(program.isGrpc
      ? [
          book.caseFor({ ...own, name: "propose", method: propose, message: {} }),
          book.caseFor({ ...own, name: "result", method: proposeResult, message: {} }),
          book.caseFor({ ...own, name: "find", method: findDeploy, message: { deployId: deploy.signature } }),
        ]
      : []),
  ];
  const answers = await runClient(program, cases, { folder: nodes.folder });
  const answerOf = <D extends DescMessage>(name: string, schema: D) => only(name, answers.get(name)!, schema);
  const found = program.isGrpc ? answerOf("find", FindDeployResponseSchema).message : undefined;
  return {
    id: toHex(deploy.signature),
    accepted: String(answerOf("deploy", DeployResponseSchema).message.value),
    refused: textOf(answerOf("forged", DeployResponseSchema).message),
    ...(found === undefined
      ? {}
      : {
          block: {
            proposed: textOf(answerOf("propose", ProposeResponseSchema).message),
            result: textOf(answerOf("result", ProposeResultResponseSchema).message),
            hash: found.case === "blockInfo" ? found.value.blockHash : textOf(found),
          },
        }),
  };
}

function only<D extends DescMessage>(name: string, calls: readonly ClientCallResult[], schema: D): MessageShape<D> {
  const [call] = calls;
  if (call?.status !== 0) throw new Error(`${name} ended with status ${call?.status}: ${call?.text}`);
  return fromBinary(schema, fromHex(call.shown));
}

function textOf(member: { readonly case: string | undefined; readonly value?: unknown }): string {
  if (typeof member.value === "string") return member.value;
  const { messages } = (member.value ?? {}) as { readonly messages?: readonly string[] };
  return `${member.case}: ${(messages ?? []).join(", ")}`;
}
