import { fromBinary } from "@bufbuild/protobuf";
import { DeployService } from "@vedette/api/grpc";
import { fromHex } from "@vedette/crypto";
import type { RecordedAnswer, RecordedCall } from "@vedette/server/testing";

const readOnly = "Deploy was rejected because node is running in read-only mode.";
/** A validator's answers about a deploy after the point where an observer has refused it. */
const afterSignature = /^"(Deploy shardId|Phlo price|Parsing error|Deploy refused)/;

/**
 * A recording of rnode as a validator, as an observer would have answered it; `undefined` where nothing is
 * known of that.
 *
 * @spec 50 §9
 */
export function asObserver(recording: RecordedAnswer): RecordedAnswer | undefined {
  const { path, method, response } = recording;
  const answered = (body: string): RecordedAnswer => ({ ...recording, response: { ...response, body } });
  if (path === "/api/deploy" && afterSignature.test(response.body)) return answered(JSON.stringify(readOnly));
  if (path === "/api/prepare-deploy" && response.status === 200)
    return answered(response.body.replace(/"seqNumber":\d+/, '"seqNumber":-1'));
  if (path === "/api/propose" && method === "POST") return answered('"Propose error: read-only node."');
  // An observer makes reports; rnode's were not recorded.
  if (response.body.includes("Block report can only be executed")) return undefined;
  return recording;
}

/** The same of a gRPC call: the texts that an observer refuses it with, or the call as it was recorded. @spec 50 §9 */
export function refusalByObserver(call: RecordedCall): readonly string[] | undefined {
  if (call.status.code !== 0) return undefined;
  if (call.method === "propose") return ["Propose error: read-only node."];
  if (call.method === "proposeResult") return ["Error: read-only node."];
  if (call.method !== "doDeploy") return undefined;
  const { message } = fromBinary(DeployService.method.doDeploy.output, fromHex(call.responses![0]!));
  const text = message.case === "error" ? message.value.messages.join() : "";
  return afterSignature.test(`"${text}`) ? [readOnly] : undefined;
}
