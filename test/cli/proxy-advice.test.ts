import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { type ProxyFacts, proxyAdvice } from '../../src/cli/proxy-advice.ts';
import { createTempDirectory } from '../support/temp-directory.ts';

const FACTS: ProxyFacts = {
  port: 5656,
  hasTls: false,
  publicUrl: null,
  trustedProxies: [],
  domain: 'home.example.org',
  from: undefined,
};
const directory = createTempDirectory('proxy-advice');
afterAll(() => directory.remove());

const caddyIsThere = spawnSync('caddy', ['version']).status === 0;

describe('the lines for a proxy', () => {
  it('are whole for Caddy on the same computer, with the settings that are missing', () => {
    expect(proxyAdvice('caddy', FACTS)).toEqual({
      lines: 'home.example.org {\n    reverse_proxy 127.0.0.1:5656\n}',
      commands: [
        'sudo hearthd settings set public_url https://home.example.org',
        'sudo hearthd settings set trusted_proxy 127.0.0.1',
      ],
    });
  });

  it('keep the proxies that are trusted already, and name nothing that is set', () => {
    const publicUrl = 'https://home.example.org';
    const from = '192.168.1.20';
    const { lines, commands } = proxyAdvice('caddy', { ...FACTS, publicUrl, from, trustedProxies: ['10.0.0.1'] });
    expect(lines).toContain('reverse_proxy <address of the relay>:5656');
    expect(commands).toEqual(['sudo hearthd settings set trusted_proxy 10.0.0.1 192.168.1.20']);
    expect(proxyAdvice('caddy', { ...FACTS, publicUrl, from, trustedProxies: [from] }).commands).toEqual([]);
  });

  it('speak https with a relay that does', () => {
    expect(proxyAdvice('caddy', { ...FACTS, hasTls: true }).lines).toContain('reverse_proxy https://127.0.0.1:5656 {');
    expect(proxyAdvice('nginx', { ...FACTS, hasTls: true }).lines).toContain('proxy_pass https://127.0.0.1:5656;');
  });

  it('pass on for nginx what the relay needs: host, caller, scheme, WebSockets and streams', () => {
    const { lines } = proxyAdvice('nginx', FACTS);
    for (const line of [
      'proxy_set_header Host $host;',
      'proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;',
      'proxy_set_header X-Forwarded-Proto $scheme;',
      'proxy_set_header Upgrade $http_upgrade;',
      'proxy_buffering off;',
    ])
      expect(lines).toContain(line);
    expect(lines.match(/\{/g)).toHaveLength(lines.match(/\}/g)?.length ?? 0);
  });

  it.each(['home example', 'https://home.example.org', 'a{b', '-x.org', '10.0.0.1'])('refuse the name %j', (domain) => {
    expect(() => proxyAdvice('caddy', { ...FACTS, domain })).toThrow('is no host name');
  });

  it('need a name, and an address of the proxy that is one', () => {
    expect(() => proxyAdvice('caddy', { ...FACTS, domain: undefined })).toThrow('--domain home.example.org');
    expect(() => proxyAdvice('caddy', { ...FACTS, from: 'proxy' })).toThrow('is no IP address');
  });

  it.runIf(caddyIsThere).each([false, true])('are taken by Caddy (the relay has TLS: %s)', (hasTls) => {
    const file = directory.file('Caddyfile');
    writeFileSync(file, `${proxyAdvice('caddy', { ...FACTS, hasTls }).lines}\n`);
    const { status, stdout } = spawnSync('caddy', ['adapt', '--config', file, '--adapter', 'caddyfile', '--validate'], {
      encoding: 'utf8',
      env: { ...process.env, HOME: directory.path },
    });
    expect(status).toBe(0);
    expect(JSON.stringify(JSON.parse(stdout))).toContain('"dial":"127.0.0.1:5656"');
  });
});
