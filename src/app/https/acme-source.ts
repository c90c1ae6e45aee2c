import type { AcmeCertificates } from '../../home/certificates.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { CertificateSource } from './certificate-source.ts';
import type { HttpsStore } from './https-store.ts';
import type { WantedNames } from './own-names.ts';

/** Authorities limit how often they are asked. */
const RETRY_MS = 3_600_000;

interface AcmeSourceDeps {
  readonly store: HttpsStore;
  readonly clock: Clock;
  readonly acme: AcmeCertificates;
}

/** Certificates over ACME, for the names for which https was turned on. */
export class AcmeSource implements CertificateSource {
  readonly retryAfterMs = RETRY_MS;
  readonly #deps: AcmeSourceDeps;
  readonly #names: readonly string[];

  constructor(deps: AcmeSourceDeps, names: readonly string[]) {
    this.#deps = deps;
    this.#names = names;
  }

  wanted(): WantedNames {
    return { names: this.#names, leftOut: [] };
  }

  check(): void {
    this.#deps.acme.check();
  }

  accepts(): boolean {
    return true;
  }

  async obtain(names: readonly string[], signal: AbortSignal) {
    const accountKey = this.#accountKey();
    return { acme: await this.#deps.acme.obtain({ names, accountKey }, signal) };
  }

  /** Stored before it is used: an account that was made is never made twice. */
  #accountKey(): string {
    const { store, clock, acme } = this.#deps;
    const known = store.key('acme_account');
    if (known) return known.key;
    const key = acme.newAccountKey();
    store.saveKeys({ acme_account: { key, certificate: '' } }, clock.now());
    return key;
  }
}
