import { type DescFile, type DescMessage, type DescService, toBinary } from "@bufbuild/protobuf";
import { FileDescriptorProtoSchema } from "@bufbuild/protobuf/wkt";
import { Code, type ConnectRouter } from "@connectrpc/connect";
import { ServerReflection, ServerReflectionV1 } from "@vedette/api/grpc";

/** The request, under either name of the service. */
interface Question {
  readonly messageRequest:
    | { readonly case: "listServices" | "fileByFilename" | "fileContainingSymbol"; readonly value: string }
    | { readonly case: "allExtensionNumbersOfType"; readonly value: string }
    | {
        readonly case: "fileContainingExtension";
        readonly value: { readonly containingType: string; readonly extensionNumber: number };
      }
    | { readonly case: undefined };
}

type Answer =
  | { readonly case: "listServicesResponse"; readonly value: { readonly service: { readonly name: string }[] } }
  | { readonly case: "fileDescriptorResponse"; readonly value: { readonly fileDescriptorProto: Uint8Array[] } }
  | { readonly case: "allExtensionNumbersResponse"; readonly value: { readonly baseTypeName: string } }
  | {
      readonly case: "errorResponse";
      readonly value: { readonly errorCode: number; readonly errorMessage: string };
    };

/**
 * `grpc.reflection.v1.ServerReflection` and its older name `v1alpha`: tools request the list of services from it. Both
 * have the same messages on the wire.
 *
 * @spec 50 §3.1
 */
export function registerReflection(router: ConnectRouter, services: readonly DescService[]): void {
  const reflection = new Reflection([...services, ServerReflectionV1, ServerReflection]);
  router.service(ServerReflection, {
    async *serverReflectionInfo(requests) {
      for await (const request of requests) yield answered(reflection, request);
    },
  });
  router.service(ServerReflectionV1, {
    async *serverReflectionInfo(requests) {
      for await (const request of requests) yield answered(reflection, request);
    },
  });
}

function answered<Request extends Question & { readonly host: string }>(reflection: Reflection, request: Request) {
  return { validHost: request.host, originalRequest: request, messageResponse: reflection.answer(request) };
}

/** The services of a server and all that their descriptions refer to. */
class Reflection {
  readonly #names: readonly string[];
  readonly #files = new Map<string, DescFile>();
  readonly #fileOfSymbol = new Map<string, DescFile>();
  readonly #messages = new Set<string>();

  constructor(services: readonly DescService[]) {
    this.#names = services.map(({ typeName }) => typeName).sort();
    for (const { file } of services) this.#addFile(file);
  }

  answer({ messageRequest: request }: Question): Answer {
    switch (request.case) {
      case "listServices":
        return { case: "listServicesResponse", value: { service: this.#names.map((name) => ({ name })) } };
      case "fileByFilename":
        return filesAnswer(this.#files.get(request.value), request.value);
      case "fileContainingSymbol":
        return filesAnswer(this.#fileOfSymbol.get(request.value), request.value);
      case "allExtensionNumbersOfType":
        return this.#messages.has(request.value)
          ? { case: "allExtensionNumbersResponse", value: { baseTypeName: request.value } }
          : notFound(request.value);
      case "fileContainingExtension":
        return notFound(`extension ${request.value.extensionNumber} of ${request.value.containingType}`);
      case undefined:
        return { case: "errorResponse", value: { errorCode: Code.InvalidArgument, errorMessage: "Nothing is asked." } };
    }
  }

  #addFile(file: DescFile): void {
    const { name } = file.proto;
    if (this.#files.has(name)) return;
    this.#files.set(name, file);
    for (const message of file.messages) this.#addMessage(message, file);
    for (const { typeName } of file.enums) this.#fileOfSymbol.set(typeName, file);
    for (const service of file.services) {
      this.#fileOfSymbol.set(service.typeName, file);
      for (const method of service.methods) this.#fileOfSymbol.set(`${service.typeName}.${method.name}`, file);
    }
    for (const dependency of file.dependencies) this.#addFile(dependency);
  }

  #addMessage(message: DescMessage, file: DescFile): void {
    this.#messages.add(message.typeName);
    this.#fileOfSymbol.set(message.typeName, file);
    for (const field of message.fields) this.#fileOfSymbol.set(`${message.typeName}.${field.name}`, file);
    for (const nested of message.nestedMessages) this.#addMessage(nested, file);
    for (const { typeName } of message.nestedEnums) this.#fileOfSymbol.set(typeName, file);
  }
}

/** Answers with a file and all files that it imports, so that clients need one request. */
function filesAnswer(file: DescFile | undefined, wanted: string): Answer {
  if (file === undefined) return notFound(wanted);
  const files = new Set<DescFile>();
  const add = (one: DescFile) => {
    if (files.has(one)) return;
    files.add(one);
    one.dependencies.forEach(add);
  };
  add(file);
  const fileDescriptorProto = [...files].map(({ proto }) => toBinary(FileDescriptorProtoSchema, proto));
  return { case: "fileDescriptorResponse", value: { fileDescriptorProto } };
}

function notFound(what: string): Answer {
  return {
    case: "errorResponse",
    value: { errorCode: Code.NotFound, errorMessage: `Not found: ${what.slice(0, 200)}` },
  };
}
