import { tmpdir } from "node:os";
import { signedDeploy, testKey } from "@vedette/chain/testing";
import { readConfig } from "@vedette/config";
import { fromHex, toHex } from "@vedette/crypto";
import { insertBlocks, TestQueries } from "@vedette/queries/testing";
import { externalGrpcServer, grpcLimitsOf, grpcServices } from "@vedette/server";
import { must, type Target } from "../driver/Target.js";
import { framed, RawClient, statusOf } from "./grpcCalls.js";

const node = TestQueries.empty();
const { hashes } = insertBlocks(node.chain);
/** Unexpected errors of the methods: they are logged, and the client gets a shorter message. */
const unexpected: unknown[] = [];
const { config } = readConfig({ home: tmpdir(), configFile: "/dev/null", environment: {} });
const server = externalGrpcServer({
  queries: node.queries({ publicKey: testKey("v1").publicKey, isReporting: true }),
  limits: grpcLimitsOf(config),
  onFailure: (_service, error) => void unexpected.push(error),
  nowMs: () => performance.now(),
});
/** Listens from its first call on: showing an input alone opens nothing. */
let connected: Promise<RawClient> | undefined;
const calls = () => (connected ??= server.listen(0, "127.0.0.1").then((port) => new RawClient(port)));

const methods = grpcServices.external.flatMap(({ methods: list, typeName }) =>
  list.map(({ name, methodKind }) => ({ path: `/${typeName}/${name}`, isUnary: methodKind === "unary" })),
);
const paths = [
  ...methods,
  { path: "/grpc.health.v1.Health/Check", isUnary: true },
  { path: "/grpc.reflection.v1.ServerReflection/ServerReflectionInfo", isUnary: false },
  { path: "/casper.v1.ProposeService/propose", isUnary: true },
];
const types = [
  "compared",
  ...["application/proto", "application/json", "application/grpc-web+proto", "application/grpc-web+json"],
  ...["application/grpc-web-text", "application/connect+proto", "application/connect+json", "application/grpc"],
];
const isFramed = (type: string) => /grpc|connect/.test(type);
/** HTTP's, beside that of a fault. */
const statuses = new Set([200, 400, 404, 405, 408, 409, 412, 415, 429, 499, 501, 503, 504, 505]);
/** An unreadable message is `Internal` by gRPC's conventions, which is 500 in Connect; the text states the reason. */
const unreadable =
  /^(parse |parsing |protocol error|received |promised |missing |decompression failed$|cannot decode |invalid )/;
const [unknown, invalidArgument, internal, dataLoss] = [2, 3, 13, 15];

const compressed = 1;
const lengths = [0, 1, -1, 0x7fffffff, 0xffffffff];

/** A byte for the method, one for the protocol, one for the frame, one for headers; the rest is the body. */
export const grpcBodies: Target = {
  name: "grpc-bodies",
  about: "no body in gRPC-web or Connect makes the server fail, and what gRPC answers they answer",
  cost: "expensive",
  files: ["server/grpc/", "api/grpc/", "api/generated/"],
  maxBytes: 800,
  words: [
    ...['{"', '":', "}", "[", "]", "null", '"hash":"', '"depth":', '"term":', '"deployId":"', '"par":', '"names":[{'],
    ...['"sends":[{', '"exprs":[{', '"gInt":"1"', "1e400", '"9223372036854775808"', '"AAAA"', "NaN", "__proto__"],
    ...[fromHex("0a40"), fromHex("1001"), fromHex("ffffffffffffffffff01"), framed(new Uint8Array(0), 0x80)],
    ...[hashes.genesis, hashes.top],
  ],
  *seeds() {
    for (let method = 0; method < paths.length; method += 1)
      for (let type = 0; type < types.length; type += 1) {
        yield Uint8Array.of(method, type, 0, 0);
        const body = types[type]!.endsWith("json") ? Buffer.from(`{"hash":"${hashes.top}","depth":1}`) : protoBody();
        yield Uint8Array.from([method, type, 0, 0, ...body]);
      }
    const { term, deployer, signature } = signedDeploy();
    const json = { term, deployer: base64(deployer), sig: base64(signature), sigAlgorithm: "secp256k1" };
    yield Uint8Array.from([0, types.indexOf("application/json"), 0, 0, ...Buffer.from(JSON.stringify(json))]);
  },
  run: async (input) => {
    const { path, isUnary } = paths[(input[0] ?? 0) % paths.length]!;
    const type = types[(input[1] ?? 0) % types.length]!;
    const body = input.subarray(4);
    if (type !== "compared") await checkAnswer(path, type, { frame: input[2] ?? 0, more: input[3] ?? 0, body });
    else if (isUnary) await checkProtocols(path, body);
    const [failure] = unexpected.splice(0).filter((one) => !isOfNoState(one));
    must(failure === undefined, () => `a method failed: ${failure instanceof Error ? failure.stack : failure}`);
  },
  show: (input) => {
    const { path } = paths[(input[0] ?? 0) % paths.length]!;
    return `${path} ${types[(input[1] ?? 0) % types.length]} ${toHex(input.subarray(2))} ${JSON.stringify(Buffer.from(input.subarray(4)).toString())}`;
  },
};

/** The chain of the test has blocks, but no states. */
function isOfNoState(failure: unknown): boolean {
  return failure instanceof Error && failure.message.startsWith("unknown root");
}

/** @throws {Mismatch} where a call ended by a fault of the server */
function checkEnd({ code, text }: { readonly code: number; readonly text: string }): void {
  must(code !== unknown && code !== dataLoss, () => `a call ends with ${code}: ${text}`);
  must(code !== internal || unreadable.test(text), () => `a call ends as internal: ${text}`);
}

interface Sent {
  /** How the body's frame lies. */
  readonly frame: number;
  /** Which headers there are. */
  readonly more: number;
  readonly body: Uint8Array;
}

async function checkAnswer(path: string, type: string, { frame, more, body }: Sent): Promise<void> {
  const length = body.length + lengths[(frame >> 2) % lengths.length]!;
  const content = isFramed(type) && (frame & 2) === 0 ? framed(body, frame & compressed, length) : body;
  const answer = await (await calls()).post(path, { "content-type": type, ...headersOf(more) }, content);
  const text = answer.body.toString("latin1");
  if (answer.status === 500) checkEnd({ code: internal, text: String(JSON.parse(text).message) });
  else must(statuses.has(answer.status), () => `status ${answer.status}: ${text.slice(0, 300)}`);
  must(!/\n\s+at .*:\d+/.test(text), "no stack trace is shown");
  if (answer.type.startsWith("application/json") && text !== "") JSON.parse(answer.body.toString());
  if (answer.status === 200 && answer.type.startsWith("application/grpc-web")) checkEnd(statusOf(answer.body));
}

/** One message in three protocols. */
async function checkProtocols(path: string, body: Uint8Array): Promise<void> {
  const client = await calls();
  const grpc = await client.grpc(path, body);
  checkEnd(grpc);
  // A method that is not on this port is answered by HTTP's own status in the other protocols.
  if (path.startsWith("/casper.v1.ProposeService")) return;
  const [web, connect] = [await client.web(path, body), await client.connect(path, body)];
  // Connect has a status for a message that cannot be read; to gRPC it is internal, as it is to rnode.
  const connectCode = grpc.code === internal ? invalidArgument : grpc.code;
  must(
    web.code === grpc.code && connect.code === connectCode,
    () => `gRPC ends with ${grpc.code}, gRPC-web with ${web.code}, Connect with ${connect.code}`,
  );
  must(web.message.equals(grpc.message), "gRPC-web answers what gRPC answers");
  must(connect.message.equals(grpc.message), "Connect answers what gRPC answers");
}

function headersOf(more: number): Record<string, string> {
  return Object.assign({}, ...oddHeaders.filter((_, bit) => (more >> bit) & 1));
}

/** One for each bit. */
const oddHeaders: readonly Readonly<Record<string, string>>[] = [
  { "content-encoding": "gzip" },
  { "grpc-encoding": "gzip" },
  { "connect-protocol-version": "1" },
  { "connect-protocol-version": "2" },
  { "connect-timeout-ms": "99999999999" },
  { "grpc-timeout": "1x" },
  { "grpc-accept-encoding": "identity,gzip,br" },
  { "connect-content-encoding": "gzip", origin: "https://explorer.example" },
];

/** The first field is a hash in most requests, the second a number. */
function protoBody(): Buffer {
  return Buffer.from([0x0a, 64, ...Buffer.from(hashes.top), 0x10, 1]);
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("base64");
}
