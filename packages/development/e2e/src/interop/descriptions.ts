import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { create, type DescFile, fromBinary, toBinary } from "@bufbuild/protobuf";
import {
  CodeGeneratorRequestSchema,
  CodeGeneratorResponseSchema,
  FileDescriptorSetSchema,
} from "@bufbuild/protobuf/wkt";
import {
  DeployService,
  Health,
  Lsp,
  ProposeService,
  Repl,
  ServerReflection,
  ServerReflectionV1,
} from "@vedette/api/grpc";

const services = [DeployService, ProposeService, Repl, Lsp, Health, ServerReflection, ServerReflectionV1];

/** Writes the descriptions of all services as a `FileDescriptorSet`, unless they are there. */
export function writeDescriptions(path: string): void {
  const bytes = toBinary(FileDescriptorSetSchema, create(FileDescriptorSetSchema, { file: allFiles() }));
  if (isThere(path, bytes)) return;
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, bytes);
}

/**
 * Has a plugin of protoc write the code of all messages.
 *
 * @param plugin the command that runs it
 * @param prefix of the import paths of Go packages
 */
export function generateGo(
  [file, ...args]: readonly [string, ...string[]],
  { cwd, folder, prefix }: { readonly cwd: string; readonly folder: string; readonly prefix: string },
): void {
  const protoFile = allFiles();
  const own = protoFile.map(({ name }) => name).filter((name) => !name.startsWith("google/"));
  const packages = own.map((name) => `M${name}=${prefix}/${dirname(name)}`);
  const request = create(CodeGeneratorRequestSchema, {
    ...{ protoFile, fileToGenerate: own },
    parameter: ["paths=source_relative", ...packages].join(),
  });
  const input = toBinary(CodeGeneratorRequestSchema, request);
  const output = execFileSync(file, args, { cwd, input, maxBuffer: 64_000_000, stdio: ["pipe", "pipe", "inherit"] });
  const answer = fromBinary(CodeGeneratorResponseSchema, output);
  if (answer.error !== "") throw new Error(`${file} ${args.join(" ")}: ${answer.error}`);
  rmSync(folder, { recursive: true, force: true });
  for (const { name, content } of answer.file) {
    mkdirSync(join(folder, dirname(name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
}

/** Each file after those that it imports. */
function allFiles() {
  const files = new Set<DescFile>();
  const add = (file: DescFile): void => {
    for (const imported of file.dependencies) add(imported);
    files.add(file);
  };
  for (const { file } of services) add(file);
  return [...files].map(({ proto }) => proto);
}

function isThere(path: string, bytes: Uint8Array): boolean {
  try {
    return readFileSync(path).equals(bytes);
  } catch {
    return false;
  }
}
