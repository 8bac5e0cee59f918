/** A member behind the proxy. */
export interface ProxyMember {
  readonly name: string;
  readonly host: string;
  readonly httpPort: number;
  readonly grpcPort: number;
}

/** Where the proxy listens, and whom it stands for. */
export interface ProxyPlan {
  /** `127.0.0.1`, or `*` for all. */
  readonly host: string;
  readonly httpPort: number;
  readonly grpcPort: number;
  readonly members: readonly ProxyMember[];
  /** A name server that is asked again and again where members are, whose addresses may change. */
  readonly resolver?: string;
}

/**
 * The configuration of an HAProxy (2.4 or newer) before a fleet: a member takes part while its `/health/ready` says so, a read
 * that a member did not answer goes to another, and streams may last.
 */
export function proxyConfig({ host, httpPort, grpcPort, members, resolver }: ProxyPlan): string {
  const servers = (one: (member: ProxyMember) => string) => members.map((member) => `    server ${one(member)}`);
  const resolved = resolver === undefined ? "" : " resolvers names init-addr last,libc,none";
  return [
    "# Made by Vedette: one name for the members of a fleet.",
    "global",
    "    hard-stop-after 30s",
    "",
    ...(resolver === undefined
      ? []
      : [
          "resolvers names",
          `    nameserver first ${resolver}`,
          "    hold valid 5s",
          "    accepted_payload_size 8192",
          "",
        ]),
    "defaults",
    "    mode http",
    "    timeout connect 2s",
    "    timeout client 1h",
    "    timeout server 1h",
    "    timeout http-request 10s",
    "    timeout tunnel 1h",
    "    # To another member each time.",
    "    option redispatch 1",
    "    retries 3",
    "    # What went wrong before an answer began; deploys go to validators and not through here, so all are reads.",
    "    retry-on conn-failure empty-response response-timeout 503",
    "    balance leastconn",
    "    option httpchk GET /health/ready",
    "    timeout check 5s",
    "    # A member that refuses connections is left out at once, and asked every second whether it is back.",
    `    default-server check inter 1s fall 3 rise 1 observe layer4 error-limit 3 on-error mark-down${resolved}`,
    "",
    "frontend http",
    `    bind ${host}:${httpPort}`,
    "    default_backend http_members",
    "",
    "backend http_members",
    ...servers(({ name, host: at, httpPort: port }) => `${name} ${at}:${port}`),
    "",
    "frontend grpc",
    `    bind ${host}:${grpcPort} proto h2`,
    "    default_backend grpc_members",
    "",
    "backend grpc_members",
    ...servers(
      ({ name, host: at, grpcPort: port, httpPort: checked }) =>
        `${name} ${at}:${port} proto h2 check-proto h1 port ${checked}`,
    ),
    "",
  ].join("\n");
}
