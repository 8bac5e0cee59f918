// The layers of the house, and what each package imports: the one table of it. `npm run layers` compares the table with the
// code and the manifests, and docs/reference/package-layout.md with the table (`npm run layers -- --write` writes it).

/**
 * A package: the imports of its code, the further imports of its tests (`testing` is implied), its content.
 *
 * @typedef {{ name: string, imports: readonly string[], tests: readonly string[], about: string }} Package
 */

/**
 * Lowest layer first. A package imports packages of lower layers, and those of its own layer that are listed before it.
 *
 * @type {readonly { name: string, about: string, packages: readonly Package[] }[]}
 */
export const layers = [
  {
    name: "core",
    about:
      "The protocol as functions and classes: no threads, no log, no clock of its own; stores and time come as arguments.",
    packages: [
      {
        name: "errors",
        imports: "",
        tests: "",
        about: "the base of error classes, the message of an unknown error; bounds of maps",
      },
      {
        name: "crypto",
        imports: "errors",
        tests: "",
        about: "hashes, signatures, key files, addresses, node identity, the splittable random generator",
      },
      {
        name: "store",
        imports: "errors",
        tests: "",
        about: "ordered key-value stores: LMDB and in-memory",
      },
      {
        name: "protocol",
        imports: "errors crypto",
        tests: "",
        about: "wire messages, canonical bytes of blocks, deploys and events, dialects",
      },
      {
        name: "terms",
        imports: "errors crypto",
        tests: "",
        about: "the immutable term model: encode, size, order, compare, hash, print",
      },
      {
        name: "tuplespace",
        imports: "errors crypto store protocol terms",
        tests: "",
        about: "produce, consume, event log, replay, radix history, copying of states, merging",
      },
      {
        name: "rholang",
        imports: "errors crypto terms tuplespace",
        tests: "",
        about: "parser, normalizer, matcher, reducer, cost accounting, system processes",
      },
      {
        name: "execution",
        imports: "contracts errors crypto store protocol terms tuplespace rholang",
        tests: "",
        about: "playing and replaying blocks and deploys, queries on a state",
      },
      {
        name: "chain",
        imports: "errors crypto store protocol execution",
        tests: "tuplespace",
        about: "blocks and DAG, validation, fork choice, finality, merging",
      },
    ],
  },
  {
    name: "network",
    about: "Peers: how nodes find each other, and how blocks and states come from them.",
    packages: [
      {
        name: "network",
        imports: "errors crypto protocol",
        tests: "",
        about: "transport over mutual TLS, handshake, connections, Kademlia discovery",
      },
      {
        name: "sync",
        imports: "errors crypto store protocol chain network",
        tests: "tuplespace",
        about: "engine states, joining, block retriever and buffer, answering peers",
      },
    ],
  },
  {
    name: "services",
    about: "What a chain offers to users, and the threads that execute for it.",
    packages: [
      {
        name: "api",
        imports: "crypto protocol terms",
        tests: "",
        about: "contracts of the HTTP API: routes and value shapes; the gRPC services",
      },
      {
        name: "language",
        imports: "rholang",
        tests: "terms",
        about: "formatter, linter and name resolution of programs; `lsp/`: the language server for editors",
      },
      {
        name: "config",
        imports: "errors",
        tests: "",
        about: "the one table of settings, HOCON, sources, addresses; `log/`: lines, levels by area, the logger",
      },
      {
        name: "client",
        imports: "errors crypto protocol terms api",
        tests: "",
        about: "talking to nodes: deploys built and signed, gRPC and HTTP calls, waiting for finalization",
      },
      {
        name: "light",
        imports: "errors crypto store protocol terms tuplespace execution chain api client",
        tests: "",
        about:
          "a light client: verifies final blocks, state and deploys from signed blocks and proofs of any server; no native code (70)",
      },
      {
        name: "executor",
        imports: "errors crypto store protocol terms tuplespace rholang execution chain sync api",
        tests: "",
        about: "the executor, readers, threads and the messages between them",
      },
      {
        name: "explorer",
        imports: "crypto protocol terms api language client light",
        tests: "",
        about: "the explorer and the playground as a static site",
      },
      {
        name: "queries",
        imports:
          "errors crypto store protocol terms rholang execution chain network sync api config client light executor",
        tests: "",
        about:
          "read-only queries of blocks, deploys and their effects, states, accounts, reports; `events/`: the durable event log, cursors, filters, followers (50 §4)",
      },
      {
        name: "indexer",
        imports: "errors crypto store protocol execution chain api client executor queries",
        tests: "",
        about: "the chain in tables: SQLite or PostgreSQL, the writer lease, GraphQL and SQL (60)",
      },
      {
        name: "server",
        imports:
          "errors crypto store protocol terms tuplespace rholang execution chain network api config executor queries indexer",
        tests: "client light",
        about:
          "HTTP, gRPC, limits, API keys, one file a route (50 §1–§3); `guide/`: the documents as pages below `/guide`",
      },
    ],
  },
  {
    name: "program",
    about: "What people start: nodes, commands, and what runs beside a node.",
    packages: [
      {
        name: "terminal",
        imports: "",
        tests: "",
        about: "live text, tables, colors and units for terminals",
      },
      {
        name: "node",
        imports:
          "errors crypto store protocol tuplespace execution chain network sync api config client executor explorer queries indexer server",
        tests: "",
        about: "roles, start and stop, proposing, genesis files, log lines, metrics (50 §5–§6)",
      },
      {
        name: "replication",
        imports: "errors crypto store protocol tuplespace execution chain sync api client executor queries",
        tests: "node",
        about:
          "`snapshot/`: create, verify, restore, locate snapshots (40 §3.9); `stream/`: blocks and states as messages in NATS JetStream, for replicas; `sinks/`: delivery of events to webhooks, NATS JetStream, Kafka",
      },
      {
        name: "devtools",
        imports:
          "contracts errors crypto store protocol terms tuplespace rholang execution chain api language config client executor queries server terminal node",
        tests: "",
        about:
          "`dev/`: a chain for development in one process; `devnet/`: networks of processes on one machine, and load for them; `contractTests/`: contract tests written in Rholang",
      },
      {
        name: "cli",
        imports:
          "errors crypto store protocol terms tuplespace rholang execution chain api language config client light executor queries indexer server terminal node replication devtools",
        tests: "",
        about: "the command line, one file a command",
      },
    ],
  },
  {
    name: "development",
    about: "For development only: nothing of it is installed.",
    packages: [
      {
        name: "testing",
        imports: "",
        tests: "",
        about: "vector runner and fakes for tests",
      },
      {
        name: "e2e",
        imports:
          "errors crypto store protocol terms tuplespace rholang execution chain network api client executor queries indexer server node replication devtools cli testing",
        tests: "",
        about: "end-to-end tests: networks, kills, third-party clients",
      },
      {
        name: "docs",
        imports: "chain api language config client queries indexer server node cli",
        tests: "",
        about: "generates `docs/reference` from the code, and tests the documents",
      },
      {
        name: "bench",
        imports:
          "errors crypto store protocol terms tuplespace rholang execution chain network client light executor queries indexer server node replication devtools cli testing e2e",
        tests: "",
        about: "benchmarks, memory, soak",
      },
      {
        name: "simulation",
        imports: "crypto store protocol tuplespace execution chain network sync client light executor queries node",
        tests: "",
        about: "complete networks in one process, with virtual time and a seed",
      },
      {
        name: "fuzz",
        imports:
          "crypto store protocol terms tuplespace rholang chain network sync config client executor queries indexer server devtools testing",
        tests: "",
        about: "fuzz targets, one per file, their reference models, the driver, the corpus",
      },
    ],
  },
].map(({ packages, ...layer }) => ({ ...layer, packages: packages.map(withLists) }));

/** The names of a row as lists. */
function withLists({ imports, tests, ...row }) {
  const listOf = (names) => names.split(" ").filter((name) => name !== "");
  return { ...row, imports: listOf(imports), tests: listOf(tests) };
}
