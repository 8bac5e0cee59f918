import { constants } from "node:http2";
import { type NewSession, ServedSession, type SessionWatcher } from "@vedette/network";
import { type GrpcLimits, sessionTimesOf } from "./limits.js";
import { PingStrikes } from "./PingStrikes.js";

/** How long answers may go on to a client that is sent away. */
const abuseGraceMs = 30_000;

/**
 * One client's connection: ends when it grows old or when its client checks it too often.
 *
 * @spec 50 §3.1
 */
export class GrpcConnection extends ServedSession {
  readonly #nowMs: () => number;
  readonly #strikes: PingStrikes;
  #isSentAway = false;

  constructor(begun: NewSession, limits: GrpcLimits, nowMs: () => number, watcher: SessionWatcher) {
    const strikes = new PingStrikes(limits.permitKeepAliveMs);
    super(begun, sessionTimesOf(limits), { ...watcher, onRequested: () => strikes.checkSent() });
    this.#nowMs = nowMs;
    this.#strikes = strikes;
    const { http } = begun;
    http.on("ping", () => this.#pinged());
    http.on("remoteSettings", () => strikes.settingsCame());
    const age = setTimeout(() => this.close(limits.ageGraceMs), limits.maxAgeMs).unref();
    http.once("close", () => clearTimeout(age));
  }

  #pinged(): void {
    if (this.#isSentAway || this.http.destroyed) return;
    if (!this.#strikes.pingCame(this.http.socket.bytesWritten, this.#nowMs())) return;
    this.#isSentAway = true;
    this.http.goaway(constants.NGHTTP2_ENHANCE_YOUR_CALM, 0, Buffer.from("too_many_pings"));
    this.close(abuseGraceMs);
  }
}
