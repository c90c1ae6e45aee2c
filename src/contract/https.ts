/** Https on a port of its own: whether it is on, which certificate it has, and what is wrong with it. */
import { z } from 'zod';
import { isHostName } from '../kernel/host-name.ts';
import { checked, flag, integer, text, texts, time, word } from './fields.ts';
import type { Output } from './parse.ts';

/** `own`: of this relay's authority. */
const CERTIFICATE_SOURCES = ['own', 'tailscale', 'acme'] as const;
export type CertificateSourceName = (typeof CERTIFICATE_SOURCES)[number];

const MAX_NAMES = 20;
function namesError(names: readonly string[]): string | null {
  if (names.length > MAX_NAMES) return `it takes at most ${MAX_NAMES} names`;
  const wrong = names.find((name) => !isHostName(name));
  return wrong === undefined
    ? null
    : `"${wrong.slice(0, 80)}" is no host name. Give a name such as pi.home.arpa, without scheme, port or path`;
}

export const HttpsChoice = z.strictObject({
  source: word(
    CERTIFICATE_SOURCES,
    '`own`: this relay’s authority signs it. `tailscale`: the certificate of the computer in its tailnet. `acme`: from the authority of the setting `acme_directory`, proven by DNS.',
  ),
  names: checked(
    texts('Further host names. With `acme` these are the names that it asks for.', ['pi.home.arpa']),
    namesError,
  ).optional(),
  agreesToTerms: flag('For `acme`: whether you agree to the terms of that authority.', false).optional(),
  newAuthority: flag('Makes a new authority. Every phone and computer has to trust that one.', false).optional(),
  lockOut: flag('Also if people with passkeys alone can’t sign in any more.', false).optional(),
});

/** What https ends with, or a name of it. */
export const HttpsEnd = z.strictObject({
  lockOut: flag('Also if people with passkeys alone can’t sign in any more.', false).optional(),
});

export const HttpsRenewal = HttpsChoice.pick({ newAuthority: true });

export const HttpsStatus = z
  .object({
    isOn: flag('Whether it is turned on.', true),
    source: word(CERTIFICATE_SOURCES).nullable(),
    port: integer('Where it is served; null while it is not.', 5658).nullable(),
    redirectsHttp: flag('Whether http leads there (setting `https_redirect`).', false),
    addresses: z
      .array(z.string())
      .meta({ description: 'Its addresses that the certificate is valid for.', examples: [['https://pi.local:5658']] }),
    names: z
      .array(z.string())
      .meta({ description: 'The names and addresses in the certificate.', examples: [['pi.local', '192.168.1.10']] }),
    leftOut: z.array(z.string()).meta({
      description: 'Configured names that the authority may not sign for, because they were configured later.',
      examples: [[]],
    }),
    validFrom: time('When the certificate begins to be valid.').nullable(),
    expiresAt: time('When the certificate ends. It is renewed long before.').nullable(),
    renewsAt: time('When it is renewed.').nullable(),
    authorityFingerprint: text(
      'SHA-256 of the authority’s certificate, as phones show it; null if there is none.',
      '3A:1F:…:9C',
    ).nullable(),
    authorityExpiresAt: time('When the authority ends.').nullable(),
    trustUrl: text('The page that shows how to trust the authority.', 'http://192.168.1.10:5656/trust').nullable(),
    problem: text('What is wrong and what to do; null if nothing is.').nullable(),
  })
  .meta({ id: 'HttpsStatus' });
export type HttpsStatus = Output<typeof HttpsStatus>;
