import type { DescField, DescMessage, DescService } from "@bufbuild/protobuf";
import { grpcServices } from "@vedette/server";
import { code, page, table } from "../markdown.js";

const ports: { readonly [port in keyof typeof grpcServices]: string } = {
  external: "For all clients (port 40401)",
  internal: "For the operator (port 40402)",
  workbench: "The operator's workbench (port 40402)",
};

/** Every method of the gRPC servers, with the messages that belong to it. @spec 50 §3 */
export function grpcMethodsPage(): string {
  const services = Object.entries(grpcServices) as [keyof typeof grpcServices, readonly DescService[]][];
  return page(
    "gRPC methods",
    "the services of `packages/services/server/src/grpc/grpcServers.ts`, generated from `packages/services/api/proto`",
    "For developers of clients. Every port also serves `grpc.health.v1.Health` and reflection (`v1`, `v1alpha`) for `grpcurl`. The public port also answers gRPC-web and Connect. Refusals are in `error` of the response; gRPC statuses: [Errors and statuses](errors.md#grpc).",
    ...services.flatMap(([port, all]) => [`## ${ports[port]}`, ...all.map(serviceText)]),
    "## Messages",
    "Messages of terms (`rhoapi`) are in `packages/services/api/proto/rhoapi/terms.proto`.",
    ...messagesOf(Object.values(grpcServices).flat()).flatMap((message) => [
      `### ${message.typeName}`,
      message.fields.length === 0 ? "Empty." : table(["field", "number", "type"], message.fields.map(fieldRow)),
    ]),
  );
}

function serviceText({ typeName, methods }: DescService): string {
  const rows = methods.map(({ name, input, output, methodKind }) => [
    code(name),
    code(input.typeName),
    `${methodKind === "server_streaming" ? "stream of " : ""}${code(output.typeName)}`,
  ]);
  return `\`${typeName}\`\n\n${table(["method", "request", "answer"], rows)}`;
}

/** The request and answer messages of all methods, and the messages of their fields. */
function messagesOf(services: readonly DescService[]): DescMessage[] {
  const found = new Map<string, DescMessage>();
  const add = (message: DescMessage | undefined) => {
    if (message === undefined || found.has(message.typeName) || /^(rhoapi|google)\./.test(message.typeName)) return;
    found.set(message.typeName, message);
    for (const field of message.fields) add(field.message);
  };
  for (const { input, output } of services.flatMap(({ methods }) => methods)) {
    add(input);
    add(output);
  }
  return [...found.values()].sort((one, other) => (one.typeName < other.typeName ? -1 : 1));
}

function fieldRow(field: DescField): string[] {
  const oneof = field.oneof === undefined ? "" : ` (one of ${code(field.oneof.name)})`;
  return [
    code(field.name),
    String(field.number),
    `${field.fieldKind === "list" ? "list of " : ""}${typeOf(field)}${oneof}`,
  ];
}

const scalarNames: { readonly [number: number]: string } = {
  1: "double",
  2: "float",
  3: "int64",
  4: "uint64",
  5: "int32",
  8: "bool",
  9: "string",
  12: "bytes",
  13: "uint32",
};

function typeOf(field: DescField): string {
  if (field.message !== undefined) return code(field.message.typeName);
  if (field.enum !== undefined) return code(field.enum.typeName);
  return code(scalarNames[field.scalar ?? 0] ?? "?");
}
