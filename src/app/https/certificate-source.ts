import type { HeldCertificate } from './held-certificate.ts';
import type { KeyKind, StoredKey } from './https-store.ts';
import type { WantedNames } from './own-names.ts';

/** Where a certificate comes from. Errors are `conflict`, with what to do in the sentence. */
export interface CertificateSource {
  /** Asked for every minute. */
  wanted(): WantedNames;
  /** Before it is turned on. @throws what is in the way of what was asked for */
  check(): void;
  /** Whether a stored certificate is of this source as it is now. */
  accepts(held: HeldCertificate): boolean;
  /** @returns what to store, all of it or nothing: among it the certificate, under the name of the source. */
  obtain(names: readonly string[], signal: AbortSignal): Promise<Readonly<Partial<Record<KeyKind, StoredKey>>>>;
  /** The first wait after a failure; it doubles up to a day. */
  readonly retryAfterMs: number;
}
