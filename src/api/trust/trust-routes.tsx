/**
 * `/trust`: how a phone or computer comes to trust the relay's own authority. Open to everyone and served over plain
 * http too, since a device that has not been there can't use https yet: it holds the certificate, which is public, and
 * steps. What a stranger between both could change, people find by comparing the fingerprint.
 */
import { Hono } from 'hono';
import type { Child } from 'hono/jsx';
import type { Https, TrustedAuthority } from '../../app/https/https.ts';
import type { ApiContext, ApiEnv } from '../env.ts';
import { type GuardOptions, requestOrigin } from '../guards.ts';
import { answerPage, type Markup, Page } from '../html/page.tsx';
import { PageError } from '../html/sentences.ts';
import { type PageTexts, texts, textsOf } from '../html/texts.ts';
import { isLoopbackHost } from '../lan-origin.ts';
import { answer } from '../respond.ts';
import { answerQrCode } from '../share/qr-code.ts';
import { appleProfile } from './apple-profile.ts';

interface TrustDeps {
  readonly https: Pick<Https, 'authority' | 'addresses'>;
  readonly guards: GuardOptions;
}

export const TRUST_PATH = '/trust';
const CERTIFICATE = `${TRUST_PATH}/authority.crt`;
const CERTIFICATE_PEM = `${TRUST_PATH}/authority.pem`;
const PROFILE = `${TRUST_PATH}/authority.mobileconfig`;
const QR_CODE = `${TRUST_PATH}/qr.svg`;
const FILE = 'hearthd.crt';

export function trustRoutes({ https, guards }: TrustDeps): Hono<ApiEnv> {
  const originOf = requestOrigin(guards);
  /** For other devices: on the computer itself people open `localhost`. */
  const originForOthers = (c: ApiContext): string => {
    const origin = originOf(c);
    return isLoopbackHost(new URL(origin).hostname) ? (guards.lanOrigin?.() ?? origin) : origin;
  };
  return new Hono<ApiEnv>()
    .get(TRUST_PATH, (c) => {
      const page = {
        texts: textsOf(c),
        authority: required(https.authority()),
        addresses: https.addresses(),
        origin: originForOthers(c),
        open: platformOf(c.req.header('user-agent') ?? ''),
      };
      return answerPage(c, <TrustPage {...page} />);
    })
    .get(CERTIFICATE, () => {
      const { der } = required(https.authority());
      return download(Uint8Array.from(der), 'application/x-x509-ca-cert', FILE);
    })
    .get(CERTIFICATE_PEM, () => {
      const { certificate } = required(https.authority());
      return download(certificate, 'application/x-pem-file', 'hearthd.pem');
    })
    .get(PROFILE, (c) => {
      const authority = required(https.authority());
      const { profileTitle: title, profileDescription: description } = textsOf(c).trust;
      const profile = appleProfile({ ...authority, title, description });
      return download(profile, 'application/x-apple-aspen-config', 'hearthd.mobileconfig');
    })
    .get(QR_CODE, (c) => {
      required(https.authority());
      return answerQrCode(`${originForOthers(c)}${TRUST_PATH}`);
    });
}

/** @throws `not_found` */
function required(authority: TrustedAuthority | undefined): TrustedAuthority {
  if (authority) return authority;
  throw new PageError(
    'not_found',
    (language) => texts[language].trust.off,
    {},
    { titleIn: (language) => texts[language].trust.offTitle },
  );
}

function download(body: string | Uint8Array<ArrayBuffer>, type: string, name: string): Response {
  return answer(body, 200, { 'Content-Type': type, 'Content-Disposition': `attachment; filename="${name}"` });
}

type Platform = 'apple' | 'android' | 'mac' | 'windows' | 'firefox' | 'linux';

const PLATFORMS: readonly (readonly [RegExp, Platform])[] = [
  [/\bFirefox\/.*/, 'firefox'],
  [/\biPhone\b|\biPad\b/, 'apple'],
  [/\bAndroid\b/, 'android'],
  [/\bMacintosh\b/, 'mac'],
  [/\bWindows\b/, 'windows'],
  [/\bLinux\b/, 'linux'],
];

/** Firefox on phones follows the system. */
function platformOf(userAgent: string): Platform | undefined {
  const found = PLATFORMS.find(([pattern]) => pattern.test(userAgent))?.[1];
  return found === 'firefox' && /\bAndroid\b/.test(userAgent) ? 'android' : found;
}

interface TrustPageProps {
  readonly texts: PageTexts;
  readonly authority: TrustedAuthority;
  readonly addresses: readonly string[];
  readonly origin: string;
  readonly open: Platform | undefined;
}

function TrustPage({ texts, authority: { name, fingerprint }, addresses, origin, open }: TrustPageProps): Markup {
  const { trust } = texts;
  const certificate = <a href={CERTIFICATE}>{FILE}</a>;
  const profile = <a href={PROFILE}>{trust.profile}</a>;
  const authority = <b>{name}</b>;
  const install = `curl -fo /usr/local/share/ca-certificates/${FILE} ${origin}${CERTIFICATE_PEM}`;
  const steps: readonly (readonly [Platform, string, readonly Child[]])[] = [
    [
      'apple',
      trust.apple.title,
      [trust.apple.load({ profile }), trust.apple.install, trust.apple.trust({ authority })],
    ],
    ['android', trust.android.title, [trust.android.load({ certificate }), trust.android.open, trust.android.install]],
    ['mac', trust.mac.title, [trust.mac.load({ certificate }), trust.mac.trust({ authority })]],
    ['windows', trust.windows.title, [trust.windows.load({ certificate }), trust.windows.install]],
    [
      'firefox',
      trust.firefox.title,
      [trust.firefox.system, trust.firefox.load({ certificate }), trust.firefox.install],
    ],
    [
      'linux',
      trust.linux.title,
      [
        trust.linux.install({ command: <code>{`sudo ${install} && sudo update-ca-certificates`}</code> }),
        trust.linux.chrome({ certificate }),
      ],
    ],
  ];
  return (
    <Page texts={texts} title={trust.title} wide>
      <h1>{trust.title}</h1>
      <p>{trust.lead}</p>
      <div class="notice warn">
        <p>{trust.compare({ command: <code>sudo hearthd https status</code> })}</p>
        <p class="address">{fingerprint}</p>
      </div>
      {steps.map(([platform, title, list]) => (
        <details class="platform" open={platform === open}>
          <summary>{title}</summary>
          <ol>
            {list.map((step) => (
              <li>{step}</li>
            ))}
          </ol>
        </details>
      ))}
      <p>{trust.after}</p>
      <ul>
        {addresses.map((address) => (
          <li>
            <a href={address}>{address}</a>
          </li>
        ))}
      </ul>
      <p class="quiet small">{trust.limits}</p>
      <div class="aside">
        <p>{trust.otherDevice}</p>
        <img class="qr" src={QR_CODE} alt={trust.qrAlt({ url: `${origin}${TRUST_PATH}` })} width="200" height="200" />
      </div>
    </Page>
  );
}
