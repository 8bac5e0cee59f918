import { execFile, execFileSync } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { buildIfChanged } from "./buildIfChanged.js";
import { generateGo, writeDescriptions } from "./descriptions.js";

/** The folder of the clients. */
export const interopFolder = fileURLToPath(new URL("../../../../../interop", import.meta.url));
const protoFolder = fileURLToPath(new URL("../../../../services/api/proto", import.meta.url));
const descriptions = join(interopFolder, ".built", "api.binpb");
const execute = promisify(execFile);

/** A command of a toolchain, and the oldest version of it that will do. */
interface Tool {
  readonly command: readonly [string, ...string[]];
  readonly atLeast: readonly [number, number];
}

/** A client of another make: a program that is built from the sources in `interop/`. */
export interface ClientProgram {
  readonly name: string;
  readonly tools: readonly Tool[];
  /** Brings what is built up to date. */
  readonly build: () => Promise<unknown>;
  /** The command that runs it; the path of the cases follows. */
  readonly command: readonly [string, ...string[]];
  /** Whether it speaks gRPC itself, which is all that the internal port speaks. */
  readonly isGrpc: boolean;
  /** Whether a connection holds 10 MB and gives up an answer that comes while it is full: Node.js, left as it is. */
  readonly isSmall: boolean;
}

const go = join(interopFolder, "go");
const rust = join(interopFolder, "rust");
const python = join(interopFolder, "python");
const java = join(interopFolder, "java");

/** All clients, by the library that makes their calls. */
export const clientPrograms: readonly ClientProgram[] = [
  {
    name: "Go (grpc-go)",
    tools: [{ command: ["go", "version"], atLeast: [1, 26] }],
    build: async () => {
      await buildIfChanged("go-messages", [descriptions, join(go, "go.sum")], async () =>
        generateGo(["go", "tool", "protoc-gen-go"], { cwd: go, folder: join(go, "gen"), prefix: "interop/gen" }),
      );
      await run(go, "go", "build", "-o", "client", ".");
    },
    command: [join(go, "client")],
    ...{ isGrpc: true, isSmall: false },
  },
  {
    name: "Rust (tonic)",
    tools: [{ command: ["cargo", "--version"], atLeast: [1, 88] }],
    build: () => run(rust, "cargo", "build", "--locked", "--quiet"),
    command: [join(rust, "target", "debug", "interop")],
    ...{ isGrpc: true, isSmall: false },
  },
  {
    name: "Python (grpcio)",
    tools: [{ command: ["python3", "--version"], atLeast: [3, 10] }],
    build: () =>
      buildIfChanged("python", [join(python, "requirements.txt")], async () => {
        await run(python, "python3", "-m", "venv", "--clear", "environment");
        await run(python, join("environment", "bin", "pip"), "install", "--quiet", "--requirement", "requirements.txt");
      }),
    command: [join(python, "environment", "bin", "python"), join(python, "client.py")],
    ...{ isGrpc: true, isSmall: false },
  },
  {
    name: "Java (grpc-netty)",
    tools: [
      { command: ["mvn", "--version"], atLeast: [3, 8] },
      { command: ["javac", "--version"], atLeast: [17, 0] },
    ],
    build: () =>
      buildIfChanged("java", [protoFolder, join(java, "pom.xml"), join(java, "src")], () =>
        run(java, "mvn", "--quiet", "--batch-mode", "process-classes"),
      ),
    command: ["java", "-cp", `${join(java, "target/classes")}:${join(java, "target/libraries/*")}`, "interop.Main"],
    ...{ isGrpc: true, isSmall: false },
  },
  nodeProgram("Node (grpc-js)", "grpc-js", { isGrpc: true, isSmall: false }),
  nodeProgram("Node (connect, as gRPC)", "connect-grpc", { isGrpc: true, isSmall: true }),
  nodeProgram("Node (connect, as gRPC-web)", "connect-web", { isGrpc: false, isSmall: true }),
  nodeProgram("Node (connect)", "connect", { isGrpc: false, isSmall: true }),
];

/** Builds what all clients need. */
export async function buildCommon(): Promise<void> {
  const lock = join(interopFolder, "package-lock.json");
  await buildIfChanged("npm", [lock], () => run(interopFolder, "npm", "ci", "--prefer-offline"));
  writeDescriptions(descriptions);
}

/** Why a client is left out: what of its toolchain is absent or too old; `undefined` when it can be built. */
export function whyNot({ name, tools }: ClientProgram): string | undefined {
  const chosen = process.env["INTEROP_CLIENTS"];
  if (chosen !== undefined && !new RegExp(chosen, "i").test(name)) return `INTEROP_CLIENTS is ${chosen}`;
  for (const { command, atLeast } of tools) {
    const wanted = `${command[0]} ${atLeast.join(".")} or newer`;
    const found = versionOf(command);
    if (found === undefined) return `${wanted} is not installed`;
    const [major, minor] = found;
    if (major < atLeast[0] || (major === atLeast[0] && minor < atLeast[1])) return `${wanted} is not installed`;
  }
  return undefined;
}

function nodeProgram(name: string, speaks: string, kind: Pick<ClientProgram, "isGrpc" | "isSmall">): ClientProgram {
  const command = [process.execPath, join(interopFolder, "node", "client.mjs"), speaks] as const;
  return { name, tools: [], build: async () => undefined, command, ...kind };
}

function versionOf([file, ...args]: readonly [string, ...string[]]): readonly [number, number] | undefined {
  try {
    const found = /(\d+)\.(\d+)/.exec(
      execFileSync(file, args, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }),
    );
    return found === null ? undefined : [Number(found[1]), Number(found[2])];
  } catch {
    return undefined;
  }
}

async function run(cwd: string, file: string, ...args: readonly string[]): Promise<void> {
  // No toolchain is to be fetched for another version of itself.
  const env = { ...process.env, GOTOOLCHAIN: "local", GOFLAGS: "-mod=readonly" };
  try {
    await execute(file, args, { cwd, env, maxBuffer: 64_000_000 });
  } catch (error) {
    const { stdout = "", stderr = "" } = error as { stdout?: string; stderr?: string };
    throw new Error(`${file} ${args.join(" ")} in ${cwd}:\n${stdout}${stderr}`, { cause: error });
  }
}
