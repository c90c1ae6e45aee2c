import { createPrivateKey, X509Certificate } from 'node:crypto';
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Acme } from '../../../src/drivers/https/acme.ts';
import { systemClock } from '../../../src/kernel/clock.ts';
import { createTempDirectory } from '../../support/temp-directory.ts';
import { AcmeServer } from './acme-server.ts';

const directory = createTempDirectory('acme');
const NAME = 'home.example.org';
/** What the hook did, a line each. */
const LOG = directory.file('hook.log');
/** The records that it added and did not remove. */
const ZONE = directory.file('zone');

let server: AcmeServer;
let acme: Acme;
let accountKey: string;

function hookThat(act: string): string {
  const path = directory.file(`hook-${Math.abs(hash(act))}`);
  writeFileSync(path, `#!/bin/sh\necho "$@" >> ${LOG}\n${act}\n`);
  chmodSync(path, 0o755);
  return path;
}

function hash(text: string): number {
  return [...text].reduce((sum, letter) => (sum * 31 + (letter.codePointAt(0) ?? 0)) | 0, 7);
}

const HOOK = `case "$1" in add) echo "$2 $3" > ${ZONE} ;; remove) rm -f ${ZONE} ;; esac`;

function client(options: Partial<ConstructorParameters<typeof Acme>[0]> = {}): Acme {
  const ca = directory.file('ca.pem');
  writeFileSync(ca, server.ca);
  const hook = hookThat(HOOK);
  return new Acme({
    clock: systemClock,
    directory: () => `${server.url}/directory`,
    hook: () => hook,
    ca: () => ca,
    ...options,
  });
}

beforeAll(async () => {
  server = await AcmeServer.start(directory);
  server.records = () => {
    if (!existsSync(ZONE)) return new Map();
    const [name = '', value = ''] = readFileSync(ZONE, 'utf8').trim().split(' ');
    return new Map([[name, value]]);
  };
});
afterAll(async () => {
  await server.stop();
  directory.remove();
});
beforeEach(() => {
  writeFileSync(LOG, '');
  acme = client();
  accountKey = acme.newAccountKey();
});

describe('a certificate over ACME', () => {
  it('is proven by a record that the hook adds, and removes afterwards', async () => {
    const { certificate, key } = await acme.obtain({ names: [NAME], accountKey });
    const x509 = new X509Certificate(certificate);
    expect(x509.subjectAltName).toBe(`DNS:${NAME}`);
    expect(x509.checkPrivateKey(createPrivateKey(key))).toBe(true);
    expect(certificate.match(/BEGIN CERTIFICATE/g)).toHaveLength(2);
    const [added, removed, ...more] = readFileSync(LOG, 'utf8').trim().split('\n');
    expect(added).toMatch(new RegExp(`^add _acme-challenge\\.${NAME} [\\w-]{43}$`));
    expect(removed).toBe(added?.replace('add', 'remove'));
    expect(more).toEqual([]);
    expect(server.faults).toEqual([]);
  });

  it('comes with one account for one key, and after nonces that were too old', async () => {
    const before = server.accounts.size;
    await acme.obtain({ names: [NAME], accountKey });
    server.badNonces = 3;
    await acme.obtain({ names: [NAME], accountKey });
    expect(server.badNonces).toBe(0);
    expect(server.accounts.size).toBe(before + 1);
    expect(server.faults).toEqual([]);
  });

  it('is refused with the reason of the authority, and the record is removed all the same', async () => {
    const wrong = client({ hook: () => hookThat(`[ "$1" = add ] && echo "$2 wrong" > ${ZONE} || rm -f ${ZONE}`) });
    await expect(wrong.obtain({ names: [NAME], accountKey })).rejects.toThrow(
      `The authority could not check the name: No such record for ${NAME}`,
    );
    expect(readFileSync(LOG, 'utf8')).toContain('remove _acme-challenge');
    expect(existsSync(ZONE)).toBe(false);
  });

  it.each(['other.example.org', `${NAME}\nupdate delete example.org`, 7])(
    'is not proven for %j, which it was not asked for: the hook does not run',
    async (name) => {
      server.askedFor = name;
      await expect(acme.obtain({ names: [NAME], accountKey })).rejects.toThrow('which was not asked for');
      server.askedFor = undefined;
      expect(readFileSync(LOG, 'utf8')).toBe('');
    },
  );

  it('is not asked for when the hook fails or is missing; its words are passed on', async () => {
    const failing = client({
      hook: () => hookThat('[ "$1" = remove ] || { echo "No token for the DNS" >&2; exit 3; }'),
    });
    await expect(failing.obtain({ names: [NAME], accountKey })).rejects.toThrow(
      /acme_dns_hook .* could not add the record _acme-challenge\.home\.example\.org: No token for the DNS/,
    );
    expect(() => client({ hook: () => null }).check()).toThrow('acme_dns_hook');
  });

  it('passes no credentials on that the hook printed, and few of its words', async () => {
    const secret = 'Zx81kQ9vT3mB7nL2pW6yR4cD';
    const words = [
      `Authorization: Bearer ${secret}`,
      `https://ann:${secret}@dns.example/add`,
      `API_KEY=${secret}`,
      `"token": "${secret.slice(0, 8)}"`,
      `sent ${secret}${secret}`,
      'zone home.example.org is not yours',
    ];
    const print = words.map((line) => `echo '${line}' >&2`).join('; ');
    const failing = client({ hook: () => hookThat(`[ "$1" = remove ] || { ${print}; exit 3; }`) });
    const refused = await failing.obtain({ names: [NAME], accountKey }).catch(({ message }) => String(message));
    expect(refused).not.toContain(secret.slice(0, 8));
    expect(refused).toContain('zone home.example.org is not yours');
    const endless = client({ hook: () => hookThat('[ "$1" = remove ] || { yes no | head -c 90000 >&2; exit 3; }') });
    const long = await endless.obtain({ names: [NAME], accountKey }).catch(({ message }) => String(message));
    expect(String(long).length).toBeLessThan(700);
  });

  it('comes from nowhere that is unknown, plain http, away, or wants an account made elsewhere', async () => {
    const obtain = (options: Parameters<typeof client>[0]) => client(options).obtain({ names: [NAME], accountKey });
    await expect(obtain({ ca: () => null })).rejects.toThrow(/can't be reached: .*certificate/);
    await expect(obtain({ directory: () => 'http://127.0.0.1/directory' })).rejects.toThrow('is not https');
    await expect(obtain({ directory: () => 'https://127.0.0.1:9/directory' })).rejects.toThrow('ECONNREFUSED');
    server.needsExternalAccount = true;
    await expect(obtain({})).rejects.toThrow('wants an account made on its site');
    server.needsExternalAccount = false;
    expect(readFileSync(LOG, 'utf8')).toBe('');
  });
});
