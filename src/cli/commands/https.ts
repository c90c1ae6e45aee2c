import type { HttpsStatus } from '../../contract/https.ts';
import type { RelaySetting, RelayStatus } from '../../contract/relay.ts';
import type { CommandContext } from '../action.ts';
import { defineCommand, REQUIRED } from '../define-command.ts';
import { EXIT } from '../exit-codes.ts';
import { type CommandOutput, qrLines } from '../output.ts';
import { type ProxyFacts, proxyAdvice } from '../proxy-advice.ts';

const PATH = '/rest/relay/https';
const NEW_AUTHORITY = [
  '--new-authority',
  'make another authority; every phone and computer has to trust that one',
] as const;
const LOCK_OUT = ['--yes', 'also if people with passkeys alone can’t sign in any more'] as const;

/** `hearthd https …`: https on a port of its own, where its certificate comes from, and the lines for a proxy. */
export const httpsCommand = defineCommand({
  name: 'https',
  description: 'serve https with a certificate that is renewed by itself, or show the lines for a proxy',
  notes: [
    'https has a port of its own (setting https_port). Http stays open beside it.',
    'To lead http to https: hearthd settings set https_redirect true',
  ],
  examples: [
    'hearthd https on',
    'hearthd https on --name pi.fritz.box',
    'hearthd https status',
    'hearthd https proxy caddy --domain home.example.org',
  ],
  commands: [
    defineCommand({
      name: 'status',
      description: 'show whether https is on, how its certificate does, and the page that leads to trusting it',
      async run({ api, output }) {
        const status = await api.get<HttpsStatus>(PATH);
        await show(output, status);
        return status.problem === null ? EXIT.ok : EXIT.failed;
      },
    }),
    defineCommand({
      name: 'on',
      description: 'turn https on with an authority of this relay, which phones have to trust once',
      options: [
        ['--name <name...>', 'further host name of this computer, such as one from your router'],
        NEW_AUTHORITY,
        LOCK_OUT,
      ],
      async run({ api, output }, { name = [], newAuthority = false, yes: lockOut = false }) {
        const names = typeof name === 'string' ? [name] : [...name];
        await show(output, await api.send<HttpsStatus>('PUT', PATH, { source: 'own', names, newAuthority, lockOut }));
      },
    }),
    defineCommand({
      name: 'tailscale',
      description: 'turn https on with the certificate that this computer has in its tailnet',
      options: [LOCK_OUT],
      async run({ api, output }, { yes: lockOut = false }) {
        await show(output, await api.send<HttpsStatus>('PUT', PATH, { source: 'tailscale', lockOut }));
      },
    }),
    defineCommand({
      name: 'acme',
      description: 'turn https on with a certificate of a public authority, which a DNS record of yours proves',
      notes: ['Set acme_dns_hook where the daemon is started: the program that adds and removes the record.'],
      options: [
        ['--name <name...>', 'host name for the certificate', REQUIRED],
        ['--agree-to-terms', 'agree to the terms of the authority (setting acme_directory)'],
        LOCK_OUT,
      ],
      async run({ api, output }, { name, agreeToTerms = false, yes: lockOut = false }) {
        const choice = { source: 'acme', names: [name].flat(), agreesToTerms: agreeToTerms, lockOut };
        await show(output, await api.send<HttpsStatus>('PUT', PATH, choice));
      },
    }),
    defineCommand({
      name: 'off',
      description: 'turn https off; the keys stay for the next time',
      options: [LOCK_OUT],
      async run({ api, output }, { yes = false }) {
        const path = yes ? `${PATH}?lockOut=true` : PATH;
        output.done(await api.send<HttpsStatus>('DELETE', path), 'Https is off.');
      },
    }),
    defineCommand({
      name: 'renew',
      description: 'get another certificate now, though it is renewed by itself',
      options: [NEW_AUTHORITY],
      async run({ api, output }, { newAuthority = false }) {
        await show(output, await api.send<HttpsStatus>('POST', `${PATH}/renew`, { newAuthority }));
      },
    }),
    defineCommand({
      name: 'proxy',
      description: 'show the lines for a proxy in front of this relay, and its settings for it',
      arguments: [['[proxy]', 'which proxy', ['caddy', 'nginx']]],
      options: [
        ['--domain <name>', 'name under which the proxy publishes the relay; that of public_url if left out'],
        ['--from <address>', 'address that the proxy’s requests come from, if it runs on another computer'],
      ],
      async run(context, proxy, { domain, from }) {
        const facts = await factsFor(context, domain, from);
        const advice = proxyAdvice(proxy === 'nginx' ? 'nginx' : 'caddy', facts);
        context.output.result(advice, () => {
          context.output.note(`In the configuration of the proxy:\n`);
          for (const line of advice.lines.split('\n')) context.output.line(line);
          if (advice.commands.length > 0) context.output.note(`\nThen set the relay:\n\n${advice.commands.join('\n')}`);
        });
      },
    }),
  ],
});

async function show(output: CommandOutput, status: HttpsStatus): Promise<void> {
  const qr = output.json || status.trustUrl === null ? [] : await qrLines(status.trustUrl);
  output.result(status, () => {
    const {
      isOn,
      source,
      port,
      redirectsHttp,
      addresses,
      names,
      expiresAt,
      renewsAt,
      authorityFingerprint,
      leftOut,
      problem,
    } = status;
    output.table(
      ['What', 'Is'],
      [
        ['Https', isOn ? (port === null ? 'on, but not served' : `on, port ${port}`) : 'off'],
        ...(isOn ? [['Certificate', `${SOURCES[source ?? 'own']}, until ${output.when(expiresAt)}`]] : []),
        ...(renewsAt === null ? [] : [['Renewed', `by itself, ${output.when(renewsAt)}`]]),
        ...(isOn ? [['Names', names.join(' ')]] : []),
        ...(port === null ? [] : [['Http', redirectsHttp ? 'leads to https' : 'open as before']]),
        ...addresses.slice(0, 1).map((address) => ['Address', address]),
        ...(authorityFingerprint === null ? [] : [['Fingerprint', authorityFingerprint]]),
        ...(leftOut.length === 0 ? [] : [['Left out', `${leftOut.join(' ')}: hearthd https on --new-authority`]]),
      ],
      '',
    );
    if (problem !== null) output.note(`error: ${problem}`);
    if (status.trustUrl === null) return;
    output.note(
      `\nTo trust it, open this page on each phone and computer, and compare the fingerprint:\n  ${status.trustUrl}`,
    );
    output.note(qr.join('\n'));
  });
}

const SOURCES = { own: 'of this relay’s authority', tailscale: 'from Tailscale', acme: 'over ACME' } as const;

async function factsFor({ api }: CommandContext, domain?: string, from?: string): Promise<ProxyFacts> {
  const { port, hasTls, publicUrl } = await api.get<RelayStatus>('/rest/relay');
  const settings = await api.get<RelaySetting[]>('/rest/relay/settings');
  const trusted = settings.find(({ name }) => name === 'trusted_proxy')?.value;
  return {
    port,
    hasTls,
    publicUrl,
    trustedProxies: Array.isArray(trusted) ? trusted : [],
    domain: domain ?? (publicUrl === null ? undefined : new URL(publicUrl).hostname),
    from,
  };
}
