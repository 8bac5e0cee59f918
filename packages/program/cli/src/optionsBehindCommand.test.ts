import { expect, test } from "vitest";
import { optionsBehindCommand } from "./optionsBehindCommand.js";
import { withoutJavaArguments } from "./runOptions.js";
import { vedetteProgram } from "./vedetteProgram.js";

const program = vedetteProgram();
const behind = (given: string) => optionsBehindCommand(given === "" ? [] : given.split(" "), program).join(" ");

test.each([
  // Options of `run`, before it and without it.
  ["--config-file node.conf run", "run --config-file node.conf"],
  ["-c node.conf run --standalone", "run -c node.conf --standalone"],
  ["--config=node.conf --thread-pool-size 4 run", "run --config=node.conf --thread-pool-size 4"],
  ["--data-dir run run", "run --data-dir run"],
  ["--no-upnp --standalone run", "run --no-upnp --standalone"],
  ["--log-level=debug run", "run --log-level=debug"],
  // Global options of rnode.
  ["--profile=docker run --host=a", "run --profile=docker --host=a"],
  ["--profile docker -c node.conf run", "run --profile docker -c node.conf"],
  ["--profile=docker network --files-only", "network --files-only"],
  ["--profile=docker publish --nats nats://a:1", "publish --profile=docker --nats nats://a:1"],
  ["--profile docker db stats --json", "db stats --profile docker --json"],
  ["-h node --grpc-port=40402 deploy a.rho", "deploy --grpc-host node --grpc-port=40402 a.rho"],
  ["--grpc-host node --grpc-port=40402 eval a.rho", "eval --grpc-host node --grpc-port=40402 a.rho"],
  ["-h node repl", "repl --grpc-host node"],
  ["-s 1000 -p 1 balance", "balance --grpc-max-recv-message-size 1000 --grpc-port 1"],
  // Where they mean nothing.
  ["--profile=docker snapshot list --location=a", "snapshot list --location=a"],
  ["-p 40401 run --standalone", "run --standalone"],
  ["--profile=docker unknown", "unknown"],
  // An option unknown to a command is refused by that command.
  ["--standalone status", "status --standalone"],
])("%s is understood as %s", (given, understood) => expect(behind(given)).toBe(understood));

test.each([
  "",
  "-h",
  "--help",
  "--version",
  "-p 40400",
  "-p 1 --standalone",
  "-s --bootstrap rnode://a@b",
  "-s -p 40400",
  "--profile=docker",
  "--profile=docker --standalone",
  "--config-file",
  "--unknown run",
  "run -p 1",
  "run --profile=docker",
  "deploy -p 1",
])("%j stays as it is", (given) => expect(behind(given)).toBe(given));

test("a compose file of rnode is understood", () => {
  const args = ["--profile=docker", "run", "--host=node", "-Dlogback.configurationFile=/var/lib/rnode/logback.xml"];
  expect(optionsBehindCommand(withoutJavaArguments(args), program)).toEqual(["run", "--profile=docker", "--host=node"]);
});
