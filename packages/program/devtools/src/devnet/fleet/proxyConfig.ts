/** A member behind the proxy. */
export interface ProxyMember {
  readonly name: string;
  readonly host: string;
  readonly httpPort: number;
  readonly grpcPort: number;
}

/** Where the proxy listens, and its members. */
export interface ProxyPlan {
  /** `127.0.0.1`, or `*` for all. */
  readonly host: string;
  readonly httpPort: number;
  readonly grpcPort: number;
  readonly members: readonly ProxyMember[];
  /** A name server that gives the addresses of members, which may change. */
  readonly resolver?: string;
}

/** A member that is no more seconds behind serves where none is in sync. */
const staleSeconds = 3_600;

/**
 * Returns the configuration of an HAProxy (2.4 or newer) before a fleet. A member takes part while its `/health/ready`
 * reports it ready; a read that a member did not answer goes to another; streams may last. If no member is in sync,
 * members up to an hour behind serve. The proxy passes on the client's address in `x-forwarded-for`: members must trust
 * it (`api-server.proxies.trusted`), or all clients count as one to their limits.
 */
export function proxyConfig({ host, httpPort, grpcPort, members, resolver }: ProxyPlan): string {
  const resolved = resolver === undefined ? "" : " resolvers names init-addr last,libc,none";
  const http = members.map(({ name, host: at, httpPort: port }) => `${name} ${at}:${port}`);
  const grpc = members.map(
    ({ name, host: at, grpcPort: port, httpPort: checked }) =>
      `${name} ${at}:${port} proto h2 check-proto h1 port ${checked}`,
  );
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
    "    # Members apply their limits by the client's address, not by that of this proxy.",
    "    option forwardfor",
    "    timeout check 5s",
    "    # A member that refuses connections is left out at once, and checked every second.",
    `    default-server check inter 1s fall 3 rise 1 observe layer4 error-limit 3 on-error mark-down${resolved}`,
    "",
    ...frontend("http", `${host}:${httpPort}`, http),
    ...frontend("grpc", `${host}:${grpcPort} proto h2`, grpc),
  ].join("\n");
}

/** One port and its servers: members in sync or, where none is in sync, those that are behind. */
function frontend(name: string, bind: string, servers: readonly string[]): string[] {
  const backend = (of: string, check: string) => [
    `backend ${of}`,
    `    option httpchk GET /health/ready${check}`,
    ...servers.map((server) => `    server ${server}`),
    "",
  ];
  const [fresh, stale] = [`${name}_members`, `${name}_stale_members`];
  return [
    `frontend ${name}`,
    `    bind ${bind}`,
    "    # Where no member is in sync, those that are behind: each answer states its block.",
    `    use_backend ${stale} if { nbsrv(${fresh}) eq 0 }`,
    `    default_backend ${fresh}`,
    "",
    ...backend(fresh, ""),
    ...backend(stale, `?maxLag=${staleSeconds}`),
  ];
}
