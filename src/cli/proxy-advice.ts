/** The lines for a proxy in front of the relay, and the relay's settings for it. */
import { isIP } from 'node:net';
import { isHostName } from '../kernel/host-name.ts';
import { usageError } from './exit-codes.ts';

export interface ProxyFacts {
  /** The relay's port, and whether it speaks https itself. */
  readonly port: number;
  readonly hasTls: boolean;
  readonly publicUrl: string | null;
  readonly trustedProxies: readonly string[];
  readonly domain: string | undefined;
  /** Where the proxy's requests come from; this computer if left out. */
  readonly from: string | undefined;
}

export interface ProxyAdvice {
  /** For the proxy's configuration. */
  readonly lines: string;
  /** What is not set yet in the relay. */
  readonly commands: readonly string[];
}

/** @throws `usage` a name or an address that is none */
export function proxyAdvice(proxy: 'caddy' | 'nginx', facts: ProxyFacts): ProxyAdvice {
  const { domain, from = '127.0.0.1', publicUrl, trustedProxies } = facts;
  if (domain === undefined)
    throw usageError('Pass the name under which the proxy publishes it: --domain home.example.org');
  if (!isHostName(domain)) throw usageError(`"${domain}" is no host name. Pass one such as home.example.org.`);
  if (isIP(from) === 0)
    throw usageError(`"${from}" is no IP address. Pass the one that the proxy’s requests come from.`);
  const url = `https://${domain.toLowerCase()}`;
  const others = trustedProxies.filter((address) => address !== from);
  const commands = [
    ...(publicUrl === url ? [] : [`sudo hearthd settings set public_url ${url}`]),
    ...(trustedProxies.includes(from)
      ? []
      : [`sudo hearthd settings set trusted_proxy ${[...others, from].join(' ')}`]),
  ];
  return { lines: proxy === 'caddy' ? caddyLines(domain, facts) : nginxLines(domain, facts), commands };
}

/** Of the relay, as the proxy reaches it. */
function upstream({ port, from }: ProxyFacts): string {
  return `${from === undefined ? '127.0.0.1' : '<address of the relay>'}:${port}`;
}

function caddyLines(domain: string, facts: ProxyFacts): string {
  const target = upstream(facts);
  // The certificate of the relay is for its own name; the way there does not leave the home.
  const proxied = facts.hasTls
    ? [
        `    reverse_proxy https://${target} {`,
        '        transport http {',
        '            tls_insecure_skip_verify',
        '        }',
        '    }',
      ]
    : [`    reverse_proxy ${target}`];
  return [`${domain} {`, ...proxied, '}'].join('\n');
}

function nginxLines(domain: string, facts: ProxyFacts): string {
  return [
    'server {',
    '    listen 443 ssl;',
    '    listen [::]:443 ssl;',
    `    server_name ${domain};`,
    `    ssl_certificate /etc/letsencrypt/live/${domain}/fullchain.pem;`,
    `    ssl_certificate_key /etc/letsencrypt/live/${domain}/privkey.pem;`,
    '',
    '    location / {',
    `        proxy_pass ${facts.hasTls ? 'https' : 'http'}://${upstream(facts)};`,
    '        proxy_http_version 1.1;',
    '        proxy_set_header Host $host;',
    '        proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;',
    '        proxy_set_header X-Forwarded-Proto $scheme;',
    '        proxy_set_header Upgrade $http_upgrade;',
    '        proxy_set_header Connection $http_connection;',
    '        proxy_buffering off;',
    '        proxy_read_timeout 1h;',
    '    }',
    '}',
  ].join('\n');
}
