/** A key and its certificate as they are stored: whether they can be used, and what stands in them. */
import { createPrivateKey, X509Certificate } from 'node:crypto';
import type { CertifiedKey } from '../../home/certificates.ts';
import { canonicalHost } from '../../kernel/ip-addresses.ts';

export interface HeldCertificate {
  readonly pair: CertifiedKey;
  readonly x509: X509Certificate;
  /** Host names and addresses, in lower case. */
  readonly names: readonly string[];
  /** Milliseconds since the epoch. */
  readonly notBefore: number;
  readonly notAfter: number;
}

/** A third of the time is left for renewals that fail. */
const RENEWED_AFTER = 2 / 3;

/** @returns `undefined` if the key or the certificate is damaged, or they do not belong together. */
export function readHeld(pair: CertifiedKey | undefined): HeldCertificate | undefined {
  if (!pair) return undefined;
  try {
    const x509 = new X509Certificate(pair.certificate);
    if (!x509.checkPrivateKey(createPrivateKey(pair.key))) return undefined;
    const names = namesIn(x509.subjectAltName ?? '');
    return { pair, x509, names, notBefore: Date.parse(x509.validFrom), notAfter: Date.parse(x509.validTo) };
  } catch {
    return undefined;
  }
}

export function renewalTime({ notBefore, notAfter }: HeldCertificate): number {
  return Math.round(notBefore + (notAfter - notBefore) * RENEWED_AFTER);
}

/** Whether it has to be replaced: it ends, is not valid yet, or lacks a name. Names that went away stay in it. */
export function isDue(held: HeldCertificate, names: readonly string[], now: number): boolean {
  return now < held.notBefore || now >= renewalTime(held) || names.some((name) => !held.names.includes(name));
}

/** Node writes addresses of IPv6 in a form of its own: `IP Address:FD00:0:0:0:0:0:0:1`. */
function namesIn(subjectAltName: string): readonly string[] {
  return subjectAltName.split(', ').flatMap((entry) => {
    const [, kind, name = ''] = /^(DNS|IP Address):(.*)$/.exec(entry) ?? [];
    return kind === undefined ? [] : [canonicalHost(name)];
  });
}
