/**
 * Asks the npm registry which version is the latest, once a day at most, and only while the setting `update_check` is
 * on. The question holds nothing of this relay: it is a GET of one address, without a version or an id. A question that
 * fails is asked again a day later.
 */
import type { HomeDeps } from '../../home/home-deps.ts';
import type { HttpSender } from '../../home/http-sender.ts';
import { messageOf } from '../../kernel/errors.ts';
import type { Startable } from '../../kernel/lifecycle.ts';
import { VERSION } from '../../kernel/version.ts';
import { isNewer, parseRelease } from './newer-version.ts';
import type { StoredUpdateCheck, UpdateCheckStore } from './update-check-store.ts';

/** The tags of the package: a few bytes, of which `latest` counts. */
export const REGISTRY_URL = 'https://registry.npmjs.org/-/package/hearthd/dist-tags';
/** Replaces the sender's own `user-agent`, which has the version. */
const HEADERS = { accept: 'application/json', 'user-agent': 'hearthd' };
const TIMEOUT_MS = 30_000;

const DAY_MS = 24 * 3_600_000;
/** Spreads the questions of all relays over an hour. */
const JITTER_MS = 3_600_000;
/** After the start, which is busy, and after the setting was turned on. A relay that keeps restarting asks nothing. */
const FIRST_LOOK_MS = 60_000;
/** Timers do not count the sleep of a computer, so a day is not waited for in one piece. */
const LOOK_EVERY_MS = 3_600_000;

interface Deps extends HomeDeps<'bus' | 'clock' | 'logger'> {
  readonly store: UpdateCheckStore;
  readonly http: Pick<HttpSender, 'send'>;
  /** The setting `update_check`. */
  readonly isOn: () => boolean;
  /** From 0 up to 1. */
  readonly random?: () => number;
  readonly version?: string;
}

export class UpdateCheck implements Startable {
  readonly #deps: Deps;
  readonly #random: () => number;
  readonly #version: string;
  #known: StoredUpdateCheck = { askedAt: null, latest: null };
  #abort = new AbortController();
  #cancelLook = (): void => {};
  #endSubscription = (): void => {};
  #question: Promise<void> | undefined;
  #wasOn = false;
  #waitMs = DAY_MS;
  /** By the monotonic clock: the last question of this process, else its start. */
  #since = 0;
  #hasAsked = false;

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#random = deps.random ?? Math.random;
    this.#version = deps.version ?? VERSION;
  }

  /** A release that is newer than what runs; `null` if none is known, or the setting is off. */
  get newVersion(): string | null {
    const { latest } = this.#known;
    return this.#deps.isOn() && latest !== null && isNewer(latest, this.#version) ? latest : null;
  }

  /** When it asked last, whether it is on now or not. */
  get askedAt(): number | null {
    return this.#known.askedAt;
  }

  start(): void {
    const { store, bus, clock } = this.#deps;
    this.#abort = new AbortController();
    this.#known = store.load();
    this.#since = clock.monotonic();
    this.#hasAsked = false;
    this.#wasOn = false;
    this.#endSubscription = bus.on('relay.settings_changed', () => this.#follow());
    this.#follow();
  }

  async stop(): Promise<void> {
    this.#endSubscription();
    this.#cancelLook();
    this.#abort.abort();
    await this.#question;
  }

  /** Begins to look when the setting was turned on, and ends it when it was turned off. */
  #follow(): void {
    const isOn = this.#deps.isOn();
    if (isOn === this.#wasOn) return;
    this.#wasOn = isOn;
    this.#cancelLook();
    if (isOn) this.#lookIn(FIRST_LOOK_MS + this.#random() * FIRST_LOOK_MS);
  }

  #lookIn(ms: number): void {
    this.#cancelLook = this.#deps.clock.after(ms, () => {
      this.#lookIn(LOOK_EVERY_MS);
      if (this.#deps.isOn() && this.#isDue()) this.#question = this.#ask();
    });
  }

  #isDue(): boolean {
    const { askedAt } = this.#known;
    if (askedAt === null) return true;
    const { clock } = this.#deps;
    const age = clock.now() - askedAt;
    const hasWaited = clock.monotonic() - this.#since >= this.#waitMs;
    // A clock that is behind after a start, or was set back, knows no age: then the time since the start counts.
    if (age < 0 || this.#hasAsked) return hasWaited;
    return age >= this.#waitMs;
  }

  async #ask(): Promise<void> {
    const { store, clock, logger } = this.#deps;
    this.#since = clock.monotonic();
    this.#hasAsked = true;
    this.#waitMs = DAY_MS + this.#random() * JITTER_MS;
    const askedAt = clock.now();
    try {
      // Stored before: a daemon that is killed meanwhile, or can't store it, must not ask again and again.
      store.save({ ...this.#known, askedAt });
      this.#known = { ...this.#known, askedAt };
      const latest = await this.#read();
      const before = this.newVersion;
      this.#known = { askedAt, latest };
      store.save(this.#known);
      const { newVersion } = this;
      if (newVersion !== null && newVersion !== before) logger.info({ version: newVersion }, 'A new version is out');
    } catch (error) {
      logger.debug({ error: messageOf(error) }, 'The update check failed; the next one is in a day');
    }
  }

  /** @returns the latest release @throws `HttpSendError`, or `Error` for an answer that names none */
  async #read(): Promise<string> {
    const { http } = this.#deps;
    const { signal } = this.#abort;
    const request = { url: REGISTRY_URL, method: 'GET', headers: HEADERS, publicOnly: true, timeoutMs: TIMEOUT_MS };
    const { status, body } = await http.send({ ...request, signal });
    // A redirect is no answer: the one address is all that is asked.
    if (status !== 200) throw new Error(`The registry answered with the status ${status}`);
    const tags: unknown = JSON.parse(body);
    const latest = parseRelease((tags as { latest?: unknown } | null)?.latest);
    if (latest === null) throw new Error('The registry named no release');
    return latest;
  }
}
