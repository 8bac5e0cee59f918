import { type ClientHttp2Session, type ClientHttp2Stream, connect } from "node:http2";
import { connect as connectSocket } from "node:net";
import { create, toBinary } from "@bufbuild/protobuf";
import { BlockQuerySchema } from "@vedette/api/grpc";
import { frameMessage } from "@vedette/network/testing";
import type { Attack } from "../Attack.js";
import type { AttackedNode } from "../AttackedNode.js";
import { attackerOf, repeat } from "./requests.js";

const connections = 64;
/** Calls per connection: all connections together have more than a server runs at once. */
const calls = 20;

/** Requests a large block in many calls on each connection and never reads the answers. */
export const unreadGrpcAnswers: Attack<AttackedNode> = {
  name: "gRPC: unread answers",
  async run({ ports: { grpcExternal }, largeBlock }, enough) {
    const question = frameMessage(toBinary(BlockQuerySchema, create(BlockQuerySchema, { hash: largeBlock })));
    await repeat(enough, connections, (index) => callAll(grpcExternal, { from: attackerOf(index), question }, enough));
    return [];
  },
};

/** Resolves when the node has ended the connection, or there is enough. */
async function callAll(
  port: number,
  { from, question }: { readonly from: string; readonly question: Uint8Array },
  enough: AbortSignal,
): Promise<void> {
  const session = connect(`http://127.0.0.1:${port}`, {
    createConnection: () => connectSocket({ port, host: "127.0.0.1", localAddress: from }),
  });
  session.on("error", () => undefined);
  const end = () => session.destroy();
  enough.addEventListener("abort", end);
  if (enough.aborted) end();
  else for (let call = 0; call < calls; call += 1) queryAgain(session, question);
  await new Promise<void>((resolve) => session.once("close", () => resolve()));
  enough.removeEventListener("abort", end);
}

/** Calls, and again when the call was cut off. */
function queryAgain(session: ClientHttp2Session, question: Uint8Array): void {
  if (session.destroyed || session.closed) return;
  const stream: ClientHttp2Stream = session.request({
    ...{ ":method": "POST", ":path": "/casper.v1.DeployService/getBlock" },
    ...{ "content-type": "application/grpc", te: "trailers" },
  });
  stream.pause();
  stream.on("error", () => undefined);
  stream.once("close", () => setTimeout(queryAgain, againMs, session, question));
  stream.end(question);
}

const againMs = 250;
