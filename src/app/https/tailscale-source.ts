import type { TailscaleCertificates } from '../../home/certificates.ts';
import { HearthError } from '../../kernel/errors.ts';
import type { CertificateSource } from './certificate-source.ts';
import type { WantedNames } from './own-names.ts';

const HOUR_MS = 3_600_000;

/** Certificates of Tailscale, for the name that this computer has in its tailnet. */
export class TailscaleSource implements CertificateSource {
  readonly retryAfterMs = HOUR_MS;
  readonly #tailscale: TailscaleCertificates;
  readonly #names: readonly string[];

  /** @param names the one name, as Tailscale gave it when https was turned on */
  constructor(tailscale: TailscaleCertificates, names: readonly string[]) {
    this.#tailscale = tailscale;
    this.#names = names;
  }

  wanted(): WantedNames {
    return { names: this.#names, leftOut: [] };
  }

  check(): void {}

  accepts(): boolean {
    return true;
  }

  async obtain([name = '']: readonly string[], signal: AbortSignal) {
    const now = await this.#tailscale.name(signal);
    if (now !== name) {
      const sentence = `This computer is ${now} in the tailnet now. Turn https on again: hearthd https tailscale`;
      throw new HearthError('conflict', sentence);
    }
    return { tailscale: await this.#tailscale.obtain(name, signal) };
  }
}
