/**
 * Keeps https with a valid certificate: looks once a minute, renews what is due, and swaps it without a restart. What
 * can't be renewed stays in use, and the status has the problem. One step at a time: changes by people wait for a
 * renewal.
 */
import type { Clock } from '../../kernel/clock.ts';
import { HearthError, messageOf } from '../../kernel/errors.ts';
import type { Startable } from '../../kernel/lifecycle.ts';
import type { Logger } from '../../kernel/logger.ts';
import type { CertificateSource } from './certificate-source.ts';
import { type HeldCertificate, isDue, readHeld } from './held-certificate.ts';
import type { HttpsStore, StoredHttps } from './https-store.ts';

const LOOK_EVERY_MS = 60_000;
const MAX_WAIT_MS = 24 * 3_600_000;

/** The server with a further port. */
export interface SecureServer {
  /** 0 while it is closed. */
  readonly securePort: number;
  /** @returns the port. @throws `conflict` with the remedy */
  openSecure(port: number, tls: { readonly cert: string; readonly key: string }): Promise<number>;
  replaceSecure(tls: { readonly cert: string; readonly key: string }): void;
  closeSecure(): Promise<void>;
}

export interface KeeperDeps {
  readonly store: HttpsStore;
  readonly server: () => SecureServer;
  readonly port: () => number;
  readonly sourceOf: (stored: StoredHttps, newAuthority?: boolean) => CertificateSource;
  readonly clock: Clock;
  readonly logger: Logger;
}

type Keys = Parameters<HttpsStore['saveKeys']>[0];

export class CertificateKeeper implements Startable {
  readonly #deps: KeeperDeps;
  #abort = new AbortController();
  #cancelLook = (): void => {};
  #last: Promise<unknown> = Promise.resolve();
  /** The certificate in use, PEM. */
  #served: string | undefined;
  #servedNames: ReadonlySet<string> = new Set();
  #problem: string | null = null;
  #failures = 0;
  /** By the monotonic clock. */
  #nextTry = Number.NEGATIVE_INFINITY;

  constructor(deps: KeeperDeps) {
    this.#deps = deps;
  }

  get problem(): string | null {
    return this.#problem;
  }

  /** The names in the certificate that is in use; the same object until they change. */
  get servedNames(): ReadonlySet<string> {
    return this.#servedNames;
  }

  /** The certificate of what is turned on. */
  get held(): HeldCertificate | undefined {
    const stored = this.#deps.store.load();
    return stored && readHeld(this.#deps.store.key(stored.source));
  }

  /** Serves the stored certificate at once; a renewal comes afterwards. */
  async start(): Promise<void> {
    this.#abort = new AbortController();
    const { held } = this;
    if (held) await this.#attempt(() => this.#serve(held));
    void this.look();
  }

  async stop(): Promise<void> {
    this.#cancelLook();
    this.#abort.abort();
    await this.#last;
    // The server closes its port itself.
    this.#forget();
  }

  /** Looks whether anything is to be done, and does it. Never rejects. */
  look(): Promise<void> {
    return this.#queue(async () => {
      this.#cancelLook();
      const stored = this.#deps.store.load();
      if (stored) await this.#attempt(() => this.#keep(stored));
      if (!this.#abort.signal.aborted) this.#cancelLook = this.#deps.clock.after(LOOK_EVERY_MS, () => void this.look());
    });
  }

  /**
   * Turns https on, or changes what it is: only if the certificate is there and the port is open.
   * @throws `conflict` what is in the way; then all is as before
   */
  turnOn(
    wanted: StoredHttps,
    options: { readonly newAuthority?: boolean; readonly renew?: boolean } = {},
  ): Promise<void> {
    return this.#queue(async () => {
      const { store, sourceOf } = this.#deps;
      const source = sourceOf(wanted, options.newAuthority);
      source.check();
      const held = readHeld(store.key(wanted.source));
      const { names } = source.wanted();
      const isFit = held && !options.renew && source.accepts(held) && !this.#isDue(held, names);
      if (isFit) await this.#serve(held);
      else await this.#serveAnother(wanted, source, names);
      store.save(wanted);
      this.#succeeded();
    });
  }

  turnOff(): Promise<void> {
    return this.#queue(async () => {
      this.#deps.store.clear();
      await this.#deps.server().closeSecure();
      this.#forget();
      this.#succeeded();
    });
  }

  async #keep(stored: StoredHttps): Promise<void> {
    const { store, sourceOf, clock } = this.#deps;
    const source = sourceOf(stored);
    const held = readHeld(store.key(stored.source));
    // What is there is served before anything is asked of others, and while that fails.
    if (held) await this.#serve(held);
    const { names } = source.wanted();
    if (held && source.accepts(held) && !this.#isDue(held, names)) {
      this.#succeeded();
      return;
    }
    if (clock.monotonic() < this.#nextTry) return;
    try {
      const renewed = await this.#obtain(stored, source, names);
      await this.#serve(renewed);
      this.#succeeded();
      // As by a clock that is behind: it must not be asked for again every minute.
      if (this.#isDue(renewed, names)) this.#nextTry = clock.monotonic() + source.retryAfterMs;
    } catch (error) {
      const wait = Math.min(source.retryAfterMs * 2 ** this.#failures, MAX_WAIT_MS);
      this.#failures += 1;
      this.#nextTry = clock.monotonic() + wait;
      throw error;
    }
  }

  /**
   * Serves a certificate that was asked for. An authority is replaced last: phones trust it, so it stays until the port
   * is open with the next one.
   */
  async #serveAnother(wanted: StoredHttps, source: CertificateSource, names: readonly string[]): Promise<void> {
    const { keys, held } = await this.#make(wanted, source, names);
    // What others made is kept at once: they limit how often they are asked.
    if (!keys.authority) this.#save(wanted, keys, held);
    const before = { held: this.held, isOpen: this.#deps.server().securePort !== 0 };
    await this.#serve(held);
    if (!keys.authority) return;
    try {
      this.#save(wanted, keys, held);
    } catch (error) {
      if (before.isOpen && before.held) await this.#serve(before.held);
      else await this.#deps.server().closeSecure();
      throw error;
    }
  }

  async #obtain(stored: StoredHttps, source: CertificateSource, names: readonly string[]): Promise<HeldCertificate> {
    const { keys, held } = await this.#make(stored, source, names);
    this.#save(stored, keys, held);
    return held;
  }

  async #make(stored: StoredHttps, source: CertificateSource, names: readonly string[]) {
    const keys: Keys = await source.obtain(names, this.#abort.signal);
    const held = readHeld(keys[stored.source]);
    if (!held) throw new HearthError('conflict', 'The certificate that came does not belong to its key.');
    return { keys, held };
  }

  #save({ source }: StoredHttps, keys: Keys, { names, x509 }: HeldCertificate): void {
    const { store, clock, logger } = this.#deps;
    store.saveKeys(keys, clock.now());
    logger.info({ source, names, until: x509.validTo }, 'Renewed the https certificate');
  }

  async #serve({ pair: { key, certificate: cert }, names }: HeldCertificate): Promise<void> {
    const server = this.#deps.server();
    if (server.securePort !== 0 && this.#served === cert) return;
    if (server.securePort === 0) await server.openSecure(this.#deps.port(), { cert, key });
    else server.replaceSecure({ cert, key });
    this.#served = cert;
    this.#servedNames = new Set(names);
  }

  #forget(): void {
    this.#served = undefined;
    this.#servedNames = new Set();
  }

  #isDue(held: HeldCertificate, names: readonly string[]): boolean {
    return isDue(held, names, this.#deps.clock.now());
  }

  #succeeded(): void {
    this.#problem = null;
    this.#failures = 0;
    this.#nextTry = Number.NEGATIVE_INFINITY;
  }

  async #attempt(act: () => Promise<void>): Promise<void> {
    try {
      await act();
    } catch (error) {
      if (this.#abort.signal.aborted) return;
      const problem = messageOf(error);
      if (problem !== this.#problem) this.#deps.logger.warn({ error: problem }, 'Https needs attention');
      this.#problem = problem;
    }
  }

  #queue<T>(act: () => Promise<T>): Promise<T> {
    const done = this.#last.then(act, act);
    this.#last = done.catch(() => {});
    return done;
  }
}
