import { constants, type ServerHttp2Session } from "node:http2";
import { endLater } from "@vedette/network";
import type { GrpcLimits } from "./limits.js";
import { PingStrikes } from "./PingStrikes.js";

/** How long answers may go on to a client that is sent away. */
const abuseGraceMs = 30_000;

/**
 * One client's connection: checks that it lives, ends it when it idles, grows old or is checked too often.
 *
 * @spec 50 §3.1
 */
export class GrpcConnection {
  readonly address: string;
  readonly #session: ServerHttp2Session;
  readonly #limits: GrpcLimits;
  readonly #keepAlive: NodeJS.Timeout;
  readonly #age: NodeJS.Timeout;
  readonly #nowMs: () => number;
  readonly #strikes: PingStrikes;
  #idle: NodeJS.Timeout | undefined;
  #grace: NodeJS.Timeout | undefined;
  #calls = 0;
  #isSentAway = false;

  constructor(session: ServerHttp2Session, limits: GrpcLimits, nowMs: () => number) {
    this.#session = session;
    this.#limits = limits;
    this.#nowMs = nowMs;
    this.#strikes = new PingStrikes(limits.permitKeepAliveMs);
    this.address = session.socket?.remoteAddress ?? "";
    session.on("error", () => {});
    session.on("ping", () => this.#pinged());
    session.on("remoteSettings", () => this.#strikes.settingsCame());
    session.once("close", () => this.#end());
    this.#keepAlive = setInterval(() => this.#check(), limits.keepAliveMs).unref();
    this.#age = setTimeout(() => this.#retire(), limits.maxAgeMs).unref();
    this.#waitIdle();
  }

  get calls(): number {
    return this.#calls;
  }

  callBegan(): void {
    this.#calls += 1;
    clearTimeout(this.#idle);
  }

  callEnded(): void {
    this.#calls -= 1;
    if (this.#calls === 0 && !this.#session.closed && !this.#session.destroyed) this.#waitIdle();
  }

  /** Takes no further calls; those under way may go on for a while. */
  close(graceMs: number): void {
    if (this.#session.destroyed) return;
    if (!this.#session.closed) this.#session.close();
    clearTimeout(this.#grace);
    this.#grace = setTimeout(() => this.destroy(), graceMs).unref();
  }

  destroy(): void {
    endLater(() => this.#session.destroyed || this.#session.destroy());
  }

  #waitIdle(): void {
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => this.close(0), this.#limits.maxIdleMs).unref();
  }

  #check(): void {
    const timer = setTimeout(() => this.destroy(), this.#limits.keepAliveTimeoutMs).unref();
    this.#session.once("close", () => clearTimeout(timer));
    try {
      this.#session.ping(() => clearTimeout(timer));
    } catch {
      this.destroy();
    }
  }

  #retire(): void {
    this.close(this.#limits.ageGraceMs);
  }

  #pinged(): void {
    if (this.#isSentAway || this.#session.destroyed) return;
    if (!this.#strikes.pingCame(this.#session.socket.bytesWritten, this.#nowMs())) return;
    this.#isSentAway = true;
    this.#session.goaway(constants.NGHTTP2_ENHANCE_YOUR_CALM, 0, Buffer.from("too_many_pings"));
    this.close(abuseGraceMs);
  }

  #end(): void {
    clearInterval(this.#keepAlive);
    clearTimeout(this.#age);
    clearTimeout(this.#idle);
    clearTimeout(this.#grace);
  }
}
