/**
 * Https on a port of its own, as operations: what it is like, on, off, renewed. It opens a port and decides whom phones
 * trust, so only who owns every home may change it.
 */
import {
  type CertificateSourceName,
  HttpsChoice,
  HttpsEnd,
  HttpsRenewal,
  type HttpsStatus,
} from '../../contract/https.ts';
import { type InMilliseconds, parseInput } from '../../contract/parse.ts';
import type { TailscaleCertificates } from '../../home/certificates.ts';
import { HearthError } from '../../kernel/errors.ts';
import { urlHost } from '../../kernel/ip-addresses.ts';
import type { AppDeps } from '../access/app-deps.ts';
import type { Caller } from '../access/caller.ts';
import type { CertificateKeeper, SecureServer } from './certificate-keeper.ts';
import { readHeld, renewalTime } from './held-certificate.ts';
import type { HttpsStore, StoredHttps } from './https-store.ts';
import type { WantedNames } from './own-names.ts';
import { authorityProblem } from './own-source.ts';

type Times = 'validFrom' | 'expiresAt' | 'renewsAt' | 'authorityExpiresAt';
export type HttpsReport = InMilliseconds<Omit<HttpsStatus, Times>, never> & Readonly<Record<Times, number | null>>;

/** Who signs in with passkeys alone, and the host names where those work. */
export interface PasskeyPerson {
  readonly name: string;
  readonly hosts: readonly string[];
}

interface Deps extends AppDeps<'state' | 'access' | 'clock' | 'logger'> {
  readonly store: HttpsStore;
  readonly keeper: CertificateKeeper;
  readonly tailscale: Pick<TailscaleCertificates, 'name'>;
  readonly server: () => Pick<SecureServer, 'securePort'>;
  readonly redirectsHttp: () => boolean;
  readonly wanted: (stored: StoredHttps) => WantedNames;
  readonly passkeyPeople: () => readonly PasskeyPerson[];
  /** The origin at which other devices reach the relay without https. */
  readonly lanOrigin: () => string | undefined;
}

/** What a person needs who is to trust the authority: public, as it goes to devices that are not signed in. */
export interface TrustedAuthority {
  /** PEM. */
  readonly certificate: string;
  readonly der: Buffer;
  readonly name: string;
  /** `3A:1F:…`, SHA-256. */
  readonly fingerprint: string;
}

export class Https {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Requires an admin of any home. @throws `insufficient_permissions` */
  status(caller: Caller): HttpsReport {
    this.#deps.access.authorizeAny(caller, 'manage');
    return this.#report();
  }

  /**
   * Turns it on, or changes what it is. Requires a signed-in owner of every home, or the system.
   * @throws `insufficient_permissions` · `invalid_value` a name that is none · `conflict` what is in the way, and what
   * to do; then nothing has changed
   */
  async turnOn(caller: Caller, input: unknown): Promise<HttpsReport> {
    this.#authorize(caller);
    const choice = parseInput(HttpsChoice, input);
    const { source, names = [], newAuthority = false, agreesToTerms = false, lockOut = false } = choice;
    if (newAuthority && source !== 'own')
      throw new HearthError('invalid_value', 'Invalid value for newAuthority: only with the source own.', {
        field: 'newAuthority',
      });
    if (source === 'acme') requireForAcme(names, agreesToTerms);
    const wanted = { source, names: await this.#namesFor(source, names) };
    if (!lockOut) this.#requireWayIn(this.#deps.wanted(wanted).names);
    await this.#deps.keeper.turnOn(wanted, { newAuthority });
    this.#deps.logger.info({ source, newAuthority }, 'Turned https on');
    return this.#report();
  }

  /**
   * The keys stay, so that phones trust it when it is turned on again. Permissions as `turnOn`.
   * @throws `conflict` people could not sign in any more
   */
  async turnOff(caller: Caller, input: unknown = {}): Promise<HttpsReport> {
    this.#authorize(caller);
    const { lockOut = false } = parseInput(HttpsEnd, input);
    if (!lockOut) this.#requireWayIn([]);
    await this.#deps.keeper.turnOff();
    this.#deps.logger.info({}, 'Turned https off');
    return this.#report();
  }

  /** Gets another certificate now. Permissions and errors as `turnOn`; `conflict` too if it is off. */
  async renew(caller: Caller, input: unknown): Promise<HttpsReport> {
    this.#authorize(caller);
    const { newAuthority = false } = parseInput(HttpsRenewal, input);
    const stored = this.#deps.store.load();
    if (!stored) throw new HearthError('conflict', 'Https is off. Turn it on: hearthd https on');
    if (newAuthority && stored.source !== 'own')
      throw new HearthError(
        'conflict',
        `The certificate comes from ${stored.source}, not from an authority of this relay.`,
      );
    await this.#deps.keeper.turnOn(stored, { newAuthority, renew: true });
    return this.#report();
  }

  /** Public: `/trust` shows it to devices that know nothing yet. `undefined` while it is not in use. */
  authority(): TrustedAuthority | undefined {
    const { store } = this.#deps;
    const held = store.load()?.source === 'own' ? readHeld(store.key('authority')) : undefined;
    if (!held) return undefined;
    const { x509, pair } = held;
    const name = /^CN=(.*)$/m.exec(x509.subject)?.[1] ?? 'hearthd';
    return { certificate: pair.certificate, der: x509.raw, name, fingerprint: x509.fingerprint256 };
  }

  /** Public: the addresses with https; `/trust` ends with them. */
  addresses(): readonly string[] {
    const { securePort } = this.#deps.server();
    if (securePort === 0) return [];
    const names = this.#deps.keeper.held?.names ?? [];
    return names
      .filter((name) => name !== 'localhost' && name !== '::1' && !name.startsWith('127.') && !/^fe80:/.test(name))
      .map((name) => `https://${urlHost(name)}:${securePort}`);
  }

  /**
   * Passkeys work under one name each, with https: people who have them alone must keep one of theirs.
   * @param names that https is to have
   */
  #requireWayIn(names: readonly string[]): void {
    const { store, keeper, passkeyPeople } = this.#deps;
    const now = store.load() ? (keeper.held?.names ?? []) : [];
    const ends = (host: string): boolean => host !== 'localhost' && now.includes(host) && !names.includes(host);
    const people = passkeyPeople().filter(({ hosts }) => hosts.every(ends));
    if (people.length === 0) return;
    const who = people.map(({ name, hosts }) => `${name} (${[...new Set(hosts)].join(', ')})`).join('; ');
    throw new HearthError(
      'conflict',
      `These people sign in with passkeys alone, and could not any more: ${who}. Let them set up an authenticator app first. To go on all the same, add --yes on the command line; "hearthd user reset-2fa" lets them in with their passwords.`,
      { reason: 'passkeys_alone' },
    );
  }

  /** A tailnet gives its computers their names. */
  async #namesFor(source: CertificateSourceName, names: readonly string[]): Promise<readonly string[]> {
    if (source !== 'tailscale') return names.map((name) => name.toLowerCase());
    if (names.length > 0) {
      const sentence = 'Invalid value for names: Tailscale gives this computer its name. Leave names out.';
      throw new HearthError('invalid_value', sentence, { field: 'names' });
    }
    return [await this.#deps.tailscale.name()];
  }

  #authorize(caller: Caller): void {
    const { access, state } = this.#deps;
    access.authorizeRelay(caller, state.homes());
  }

  #report(): HttpsReport {
    const { store, keeper, server, redirectsHttp, wanted, lanOrigin, clock } = this.#deps;
    const stored = store.load();
    const { held } = keeper;
    const port = server().securePort;
    const authority = stored?.source === 'own' ? store.key('authority') : undefined;
    const known = readHeld(authority);
    const origin = known && lanOrigin();
    return {
      isOn: stored !== undefined,
      source: stored?.source ?? null,
      port: port === 0 ? null : port,
      redirectsHttp: port !== 0 && redirectsHttp(),
      addresses: this.addresses(),
      names: held?.names ?? [],
      leftOut: stored ? wanted(stored).leftOut : [],
      validFrom: held?.notBefore ?? null,
      expiresAt: held?.notAfter ?? null,
      renewsAt: held ? renewalTime(held) : null,
      authorityFingerprint: known?.x509.fingerprint256 ?? null,
      authorityExpiresAt: known?.notAfter ?? null,
      trustUrl: origin === undefined ? null : `${origin}/trust`,
      problem: keeper.problem ?? (authority && authorityProblem(authority, clock.now())) ?? null,
    };
  }
}

/** @throws `invalid_value` */
function requireForAcme(names: readonly string[], agreesToTerms: boolean): void {
  const refuse = (field: string, sentence: string): never => {
    throw new HearthError('invalid_value', `Invalid value for ${field}: ${sentence}`, { field });
  };
  if (names.length === 0) refuse('names', 'give the host names for the certificate.');
  if (names.some((name) => !name.includes('.'))) refuse('names', 'a public name has a dot in it.');
  if (!agreesToTerms) refuse('agreesToTerms', 'the authority wants you to agree to its terms.');
}
