/** The command `tailscale` is a script that prints what Tailscale's does, in its forms of 1.5x to 1.9x. */
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { certificateMaker } from '../../../src/drivers/https/certificate-maker.ts';
import { Tailscale } from '../../../src/drivers/https/tailscale.ts';
import { createTempDirectory } from '../../support/temp-directory.ts';

const directory = createTempDirectory('tailscale');
afterAll(() => directory.remove());

const NAME = 'pi.tail1234.ts.net';
const RUNNING = { BackendState: 'Running', Self: { DNSName: 'Pi.tail1234.ts.net.' }, CertDomains: [NAME] };

let count = 0;
/** @param cases what each first argument does, in the language of the shell */
function scripted(cases: Readonly<Record<string, string>>): Tailscale {
  const path = directory.file(`tailscale-${count++}`);
  const branches = Object.entries(cases).map(([word, act]) => `  ${word}) ${act} ;;`);
  writeFileSync(path, ['#!/bin/sh', 'case "$1" in', ...branches, '  *) exit 64 ;;', 'esac', ''].join('\n'));
  chmodSync(path, 0o755);
  return new Tailscale(path);
}

const printing = (value: unknown): string => `printf '%s' '${JSON.stringify(value)}'`;

describe('tailscale', () => {
  it('gives the name and the certificate, with the key, of this computer', async () => {
    const now = Date.now();
    const validity = { notBefore: now, notAfter: now + 90 * 86_400_000 };
    const permitted = { domains: [NAME], networks: [] };
    const authority = certificateMaker.makeAuthority({ commonName: 'x', permitted, ...validity });
    const pair = certificateMaker.makeServer(authority, { names: [NAME], ...validity });
    const [certificate, key, args] = ['certificate', 'key', 'args'].map((name) => directory.file(name));
    writeFileSync(certificate ?? '', pair.certificate);
    writeFileSync(key ?? '', pair.key);
    const tailscale = scripted({
      status: printing(RUNNING),
      cert: `echo "$@" > ${args}; cat ${certificate} ${key}; env > ${args}.env`,
    });
    expect(await tailscale.name()).toBe(NAME);
    expect(await tailscale.obtain(NAME)).toEqual(pair);
    expect(readFileSync(args ?? '', 'utf8')).toBe(`cert --cert-file - --key-file - ${NAME}\n`);
    // Settings with secrets may be in our environment.
    expect(readFileSync(`${args}.env`, 'utf8').trim()).not.toMatch(/^(?!PATH=|PWD=|_=|OLDPWD=|SHLVL=)/m);
  });

  it.each<[string, string, RegExp]>([
    ['signed out', printing({ BackendState: 'NeedsLogin', Self: {} }), /not signed in to Tailscale.*tailscale up$/],
    ['stopped', `${printing({ BackendState: 'Stopped' })}; exit 1`, /Tailscale is stopped/],
    ['without https', printing({ ...RUNNING, CertDomains: null }), /Https is not enabled in your tailnet/],
    ['away', 'echo "failed to connect to local tailscaled; is it running?" >&2; exit 1', /Tailscale does not run/],
    ['odd', 'echo "Boom" >&2; exit 3', /The command tailscale failed: Boom/],
  ])('that is %s is recognised', async (_, act, expected) => {
    await expect(scripted({ status: act }).name()).rejects.toThrow(expected);
  });

  it('that refuses a certificate, prints none or is not installed is named, with the remedy', async () => {
    const denied = scripted({ cert: 'echo "Access denied: cert access denied" >&2; exit 1' });
    await expect(denied.obtain(NAME)).rejects.toThrow(/TS_PERMIT_CERT_UID=hearthd/);
    await expect(scripted({ cert: 'echo nothing' }).obtain(NAME)).rejects.toThrow('printed no certificate');
    await expect(new Tailscale(directory.file('none')).name()).rejects.toThrow('Tailscale is not installed');
  });
});
