/**
 * Certificates of this relay's own authority. It is made when https is turned on first, lives ten years, and is
 * replaced only on request: every phone would have to trust the next one.
 */
import type { CertificateMaker, Permitted } from '../../home/certificates.ts';
import type { Clock } from '../../kernel/clock.ts';
import { HearthError } from '../../kernel/errors.ts';
import type { CertificateSource } from './certificate-source.ts';
import { type HeldCertificate, readHeld } from './held-certificate.ts';
import type { HttpsStore, StoredKey } from './https-store.ts';
import { permittedFor, type WantedNames, wantedNames } from './own-names.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const AUTHORITY_DAYS = 3_652;
/** Browsers accept 398 days of public authorities, Apple 825 of private ones. */
const SERVER_DAYS = 396;
/** Clocks of phones and of a computer without a battery differ. */
const AUTHORITY_BACKDATED_MS = DAY_MS;
const SERVER_BACKDATED_MS = HOUR_MS;
const RETRY_MS = 60_000;
/** hearthd did not exist before: an earlier clock was never set. */
const EARLIEST_SANE_TIME = Date.UTC(2025, 0, 1);
const ANOTHER = 'Make another one with "hearthd https on --new-authority"; every phone has to trust that one.';

export interface OwnSourceDeps {
  readonly store: HttpsStore;
  readonly clock: Clock;
  readonly loadMaker: () => Promise<CertificateMaker>;
  /** Names and addresses of this computer. */
  readonly hosts: () => Iterable<string>;
  /** Names that people configured. */
  readonly configuredNames: () => readonly string[];
  /** How people recognise the authority. */
  readonly label: string;
}

export class OwnSource implements CertificateSource {
  readonly retryAfterMs = RETRY_MS;
  readonly #deps: OwnSourceDeps;
  readonly #given: readonly string[];
  readonly #newAuthority: boolean;

  /** @param given names for which https was turned on: all of them have to be in the certificate. */
  constructor(deps: OwnSourceDeps, given: readonly string[], newAuthority = false) {
    this.#deps = deps;
    this.#given = given;
    this.#newAuthority = newAuthority;
  }

  wanted(): WantedNames {
    const stored = this.#newAuthority ? undefined : this.#deps.store.key('authority');
    return this.#wantedOf(stored?.permitted ?? permittedFor([...this.#deps.hosts(), ...this.#configured()]));
  }

  check(): void {
    const { leftOut } = this.wanted();
    const refused = this.#given.filter((name) => leftOut.includes(name));
    if (refused.length > 0)
      throw refusal(`The authority may not sign for ${refused.join(', ')}: it was made before. ${ANOTHER}`);
  }

  accepts({ x509 }: HeldCertificate): boolean {
    const authority = this.#newAuthority ? undefined : readHeld(this.#deps.store.key('authority'));
    // Without a usable authority there is no better certificate than this one.
    return authority ? x509.verify(authority.x509.publicKey) : !this.#newAuthority;
  }

  async obtain(names: readonly string[]) {
    const { store, clock, loadMaker } = this.#deps;
    const now = clock.now();
    if (now < EARLIEST_SANE_TIME)
      throw refusal('The clock of this computer is not set, so no certificate can be made. Set it first.');
    const stored = this.#newAuthority ? undefined : store.key('authority');
    const problem = stored && authorityProblem(stored, now);
    if (problem !== undefined) throw refusal(problem);
    const maker = await loadMaker();
    const authority = stored ?? this.#makeAuthority(maker, now);
    const { notAfter } = readHeld(authority) ?? { notAfter: now };
    const until = Math.min(now + SERVER_DAYS * DAY_MS, notAfter);
    const own = maker.makeServer(authority, { names, notBefore: now - SERVER_BACKDATED_MS, notAfter: until });
    return stored ? { own } : { authority, own };
  }

  #makeAuthority(maker: CertificateMaker, now: number): StoredKey {
    const permitted = permittedFor([...this.#deps.hosts(), ...this.#configured()]);
    const validity = { notBefore: now - AUTHORITY_BACKDATED_MS, notAfter: now + AUTHORITY_DAYS * DAY_MS };
    return { ...maker.makeAuthority({ commonName: this.#deps.label, permitted, ...validity }), permitted };
  }

  #configured(): readonly string[] {
    return [...this.#deps.configuredNames(), ...this.#given];
  }

  #wantedOf(permitted: Permitted): WantedNames {
    return wantedNames({ hosts: this.#deps.hosts(), configured: this.#configured() }, permitted);
  }
}

/** Why the authority can't sign, and what to do; `undefined` if it can. */
export function authorityProblem(stored: StoredKey, now: number): string | undefined {
  const held = readHeld(stored);
  if (!held) return `The key of the authority is damaged. ${ANOTHER}`;
  if (now < held.notBefore) {
    const from = new Date(held.notBefore).toISOString();
    return `The authority is valid from ${from} on, later than the clock of this computer. Set the clock.`;
  }
  return now < held.notAfter
    ? undefined
    : `The authority ended at ${new Date(held.notAfter).toISOString()}. ${ANOTHER}`;
}

function refusal(sentence: string): HearthError {
  return new HearthError('conflict', sentence);
}
