/** OpenSSL judges the certificates that we make, in its strict mode. */
import { execFileSync, spawnSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { certificateMaker } from '../../../src/drivers/https/certificate-maker.ts';
import { createTempDirectory } from '../../support/temp-directory.ts';

const DAY_MS = 86_400_000;
const NOW = Date.UTC(2030, 0, 31, 12);
const directory = createTempDirectory('certificates');
afterAll(() => directory.remove());

const authority = certificateMaker.makeAuthority({
  commonName: 'hearthd on pi',
  permitted: { domains: ['local', 'home.example.org'], networks: ['192.168.0.0/16', 'fc00::/7'] },
  notBefore: NOW - DAY_MS,
  notAfter: NOW + 3_652 * DAY_MS,
});

function save(name: string, pem: string): string {
  writeFileSync(directory.file(name), pem);
  return directory.file(name);
}

function serverFor(names: readonly string[], notAfter = NOW + 396 * DAY_MS): string {
  const { certificate } = certificateMaker.makeServer(authority, { names, notBefore: NOW - 3_600_000, notAfter });
  return certificate;
}

/** @returns what openssl prints about the certificate at this time */
function verify(certificate: string, at = NOW, options: readonly string[] = []): string {
  const ca = save('authority.pem', authority.certificate);
  const leaf = save('server.pem', certificate);
  const time = ['-attime', String(Math.floor(at / 1_000))];
  const args = ['verify', '-x509_strict', '-purpose', 'sslserver', ...time, ...options, '-CAfile', ca, leaf];
  const { stdout, stderr } = spawnSync('openssl', args, { encoding: 'utf8' });
  return `${stdout}${stderr}`;
}

describe('the certificates of our own authority', () => {
  const good = serverFor(['pi.local', '192.168.1.10', 'fd00::10']);

  it('are valid for their names and addresses', () => {
    expect(verify(good)).toMatch(/: OK/);
    expect(verify(good, NOW, ['-verify_hostname', 'pi.local'])).toMatch(/: OK/);
    expect(verify(good, NOW, ['-verify_ip', '192.168.1.10'])).toMatch(/: OK/);
    expect(verify(good, NOW, ['-verify_ip', 'fd00::10'])).toMatch(/: OK/);
    expect(verify(good, NOW, ['-verify_hostname', 'other.local'])).toContain('hostname mismatch');
    expect(verify(good, NOW, ['-verify_ip', '192.168.1.11'])).toContain('IP address mismatch');
  });

  it('are valid for an address alone', () => {
    expect(verify(serverFor(['192.168.1.10']))).toMatch(/: OK/);
  });

  it('are valid in their time only', () => {
    expect(verify(good, NOW - 2 * 3_600_000)).toContain('not yet valid');
    expect(verify(good, NOW + 397 * DAY_MS)).toContain('expired');
  });

  it.each(['evil.example', 'xhome.example.org', '8.8.8.8', '2001:db8::1'])(
    'are worth nothing for %s, which the authority may not sign for',
    (name) => {
      expect(verify(serverFor([name]))).toContain('permitted subtree violation');
      expect(verify(serverFor(['pi.local', name]))).toContain('permitted subtree violation');
    },
  );

  it('sign nothing themselves', () => {
    const inner = certificateMaker.makeServer(authority, {
      names: ['a.local'],
      notBefore: NOW,
      notAfter: NOW + DAY_MS,
    });
    const forged = certificateMaker.makeServer(inner, { names: ['b.local'], notBefore: NOW, notAfter: NOW + DAY_MS });
    const between = ['-untrusted', save('between.pem', inner.certificate)];
    expect(verify(forged.certificate, NOW + 1_000, between)).toMatch(/invalid CA certificate|pathlen|path length/);
  });

  it('have what Apple asks for: P-256, SHA-256, alternative names, the use of a server, at most 398 days', () => {
    const text = execFileSync('openssl', ['x509', '-noout', '-text', '-in', save('server.pem', good)], {
      encoding: 'utf8',
    });
    expect(text).toContain('Signature Algorithm: ecdsa-with-SHA256');
    expect(text).toContain('NIST CURVE: P-256');
    expect(text).toContain('DNS:pi.local, IP Address:192.168.1.10, IP Address:FD00:0:0:0:0:0:0:10');
    expect(text).toMatch(/Extended Key Usage: *\n *TLS Web Server Authentication\n/);
    const { validFrom, validTo } = new X509Certificate(good);
    expect(Date.parse(validTo) - Date.parse(validFrom)).toBeLessThanOrEqual(398 * DAY_MS);
  });

  it('come from an authority with critical constraints that signs servers alone', () => {
    const text = execFileSync('openssl', ['x509', '-noout', '-text', '-in', save('ca.pem', authority.certificate)], {
      encoding: 'utf8',
    });
    expect(text).toMatch(/Basic Constraints: critical\n *CA:TRUE, pathlen:0\n/);
    expect(text).toMatch(/Key Usage: critical\n *Certificate Sign, CRL Sign\n/);
    expect(text).toMatch(/Name Constraints: critical\n *Permitted:\n *DNS:local\n *DNS:home.example.org\n/);
    expect(text).toContain('Subject: O = hearthd, CN = hearthd on pi');
  });

  it('never have the same number or key, and are dated beyond 2049 as RFC 5280 has it', () => {
    const [one, other] = [serverFor(['pi.local']), serverFor(['pi.local'])].map((pem) => new X509Certificate(pem));
    expect(one?.serialNumber).not.toBe(other?.serialNumber);
    expect(one?.publicKey.equals(other?.publicKey as never)).toBe(false);
    const late = serverFor(['pi.local'], Date.UTC(2051, 0, 1));
    expect(new X509Certificate(late).validTo).toContain('2051');
    expect(verify(late)).toMatch(/: OK/);
  });
});
