import { X509Certificate } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { certificateMaker } from '../../../src/drivers/https/certificate-maker.ts';
import type { AcmeCertificates, CertificateMaker, TailscaleCertificates } from '../../../src/home/certificates.ts';
import { HearthError } from '../../../src/kernel/errors.ts';
import { FakeSecureServer } from '../../support/fake-secure-server.ts';
import { createTempDirectory, type TempDirectory } from '../../support/temp-directory.ts';
import { TestClock } from '../../support/test-clock.ts';
import { createTestHome, systemCaller, type TestHome, tokenCaller } from '../../support/test-home.ts';

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

let clock: TestClock;
let server: FakeSecureServer;
let hosts: string[];
let configured: string[];
let home: TestHome;

function open(
  options: {
    readonly path?: string;
    readonly certificateMaker?: CertificateMaker;
    readonly acme?: AcmeCertificates;
    readonly tailscale?: TailscaleCertificates;
  } = {},
): TestHome {
  return createTestHome({
    clock,
    secureServer: server,
    hosts: () => hosts,
    configuredNames: () => configured,
    ...options,
  });
}

beforeEach(() => {
  clock = new TestClock();
  server = new FakeSecureServer();
  hosts = ['localhost', 'pi', 'pi.local', '127.0.0.1', '192.168.1.10', '203.0.113.7', 'FE80::1%eth0'];
  configured = [];
  home = open();
});
afterEach(async () => {
  await home.certificateKeeper.stop();
  home.close();
});

const authorityOf = (one: TestHome) => one.https.authority()?.fingerprint;
const last = (): X509Certificate => new X509Certificate(server.served.at(-1) ?? '');
/** Runs what the keeper does when a minute has passed. */
async function later(ms: number): Promise<void> {
  await clock.advance(ms);
  await home.certificateKeeper.look();
}

describe('https', () => {
  it('is off until it is turned on', async () => {
    await home.certificateKeeper.start();
    expect(server.served).toEqual([]);
    expect(home.https.status(systemCaller)).toMatchObject({ isOn: false, port: null, source: null, problem: null });
    expect(home.https.authority()).toBeUndefined();
    await expect(home.https.renew(systemCaller, {})).rejects.toThrow('Https is off');
  });

  it('is for all names and private addresses of the computer, and ends within 398 days', async () => {
    const status = await home.https.turnOn(systemCaller, { source: 'own' });
    expect(status).toMatchObject({
      isOn: true,
      source: 'own',
      port: 5658,
      names: ['pi.local', 'pi', '192.168.1.10', 'fe80::1', '127.0.0.1', 'localhost'],
      addresses: ['https://pi.local:5658', 'https://pi:5658', 'https://192.168.1.10:5658'],
      leftOut: [],
      problem: null,
    });
    const { validFrom, expiresAt, renewsAt, authorityExpiresAt } = status;
    expect(Number(expiresAt) - Number(validFrom)).toBeLessThan(398 * DAY_MS);
    expect(Number(renewsAt)).toBeLessThan(Number(expiresAt) - 120 * DAY_MS);
    expect(Number(authorityExpiresAt)).toBeGreaterThan(clock.now() + 3_640 * DAY_MS);
  });

  it('is changed by owners of every home alone, and shown to admins', async () => {
    for (const caller of [tokenCaller(), tokenCaller({ [home.home.id]: 'control' })]) {
      await expect(home.https.turnOn(caller, { source: 'own' })).rejects.toThrow('Insufficient permissions');
      await expect(home.https.turnOff(caller)).rejects.toThrow('Insufficient permissions');
      await expect(home.https.renew(caller, {})).rejects.toThrow('Insufficient permissions');
    }
    expect(() => home.https.status(tokenCaller({ [home.home.id]: 'control' }))).toThrow('Insufficient permissions');
    expect(server.served).toEqual([]);
  });

  it.each(['foo_bar', 'a b', '-x.local', 'https://pi.local', 'pi.local:5658', '192.168.1.300', '', 'x'.repeat(64)])(
    'refuses the name %j',
    async (name) => {
      await expect(home.https.turnOn(systemCaller, { source: 'own', names: [name] })).rejects.toThrow(/host name|text/);
      expect(home.https.status(systemCaller).isOn).toBe(false);
    },
  );

  it('goes on with the same authority when it is turned on again', async () => {
    await home.https.turnOn(systemCaller, { source: 'own' });
    const before = authorityOf(home);
    const off = await home.https.turnOff(systemCaller);
    expect(off).toMatchObject({ isOn: false, port: null });
    expect(server.securePort).toBe(0);
    expect(home.https.authority()).toBeUndefined();
    await home.https.turnOn(systemCaller, { source: 'own' });
    expect(authorityOf(home)).toBe(before);
  });

  it('gets another authority only when that is asked for', async () => {
    await home.https.turnOn(systemCaller, { source: 'own' });
    const before = authorityOf(home);
    await home.https.renew(systemCaller, {});
    expect(authorityOf(home)).toBe(before);
    expect(server.served).toHaveLength(2);
    await home.https.renew(systemCaller, { newAuthority: true });
    expect(authorityOf(home)).not.toBe(before);
    expect(last().verify(new X509Certificate(home.https.authority()?.certificate ?? '').publicKey)).toBe(true);
  });

  it('is not turned off, nor loses its name, while people with passkeys alone sign in there, unless that is wanted', async () => {
    const people = [
      { name: 'Ada', hosts: ['pi.local', 'localhost'] },
      { name: 'Bob', hosts: ['elsewhere.example'] },
    ];
    vi.spyOn(home.passkeys, 'people').mockImplementation(() => people);
    await home.https.turnOn(systemCaller, { source: 'own' });
    people.push({ name: 'Eve', hosts: ['pi.local', 'pi.local'] });
    const refused = {
      message: expect.stringContaining('could not any more: Eve (pi.local). '),
      details: { reason: 'passkeys_alone' },
    };
    await expect(home.https.turnOff(systemCaller)).rejects.toMatchObject(refused);
    expect(home.https.status(systemCaller).isOn).toBe(true);
    // The same names again, and one more: her passkey goes on working.
    await home.https.turnOn(systemCaller, { source: 'own', names: ['pi.fritz.box'], newAuthority: true });
    hosts = ['localhost', 'other', 'other.local', '127.0.0.1'];
    await expect(home.https.turnOn(systemCaller, { source: 'own' })).rejects.toMatchObject(refused);
    await home.https.turnOn(systemCaller, { source: 'own', lockOut: true });
    hosts = ['localhost', 'pi', 'pi.local', '127.0.0.1'];
    await home.https.turnOn(systemCaller, { source: 'own' });
    await home.https.turnOff(systemCaller, { lockOut: true });
    expect(home.https.status(systemCaller).isOn).toBe(false);
    await home.https.turnOff(systemCaller);
  });

  it('keeps its authority when another one could not be made, served or stored', async () => {
    await home.https.turnOn(systemCaller, { source: 'own' });
    const [authority, certificate] = [authorityOf(home), server.served.at(-1)];
    const another = () => home.https.turnOn(systemCaller, { source: 'own', newAuthority: true });
    const expectUnchanged = () => {
      expect([authorityOf(home), server.served.at(-1)]).toEqual([authority, certificate]);
      expect(home.https.status(systemCaller)).toMatchObject({ isOn: true, problem: null });
    };
    const making = vi.spyOn(certificateMaker, 'makeServer').mockImplementationOnce(() => {
      throw new Error('No entropy');
    });
    await expect(another()).rejects.toThrow('No entropy');
    expectUnchanged();
    making.mockRestore();

    vi.spyOn(server, 'replaceSecure').mockImplementationOnce(() => {
      throw new Error('Not this one');
    });
    await expect(another()).rejects.toThrow('Not this one');
    expectUnchanged();

    const full = "CREATE TEMP TRIGGER full BEFORE INSERT ON https_keys BEGIN SELECT RAISE(ABORT, 'no room'); END";
    home.database.exec(full);
    await expect(another()).rejects.toThrow('no room');
    expectUnchanged();
    home.database.exec('DROP TRIGGER full');

    // Off, and the port is another program's.
    await home.https.turnOff(systemCaller);
    vi.spyOn(server, 'openSecure').mockRejectedValueOnce(new Error('The port is in use'));
    await expect(another()).rejects.toThrow('The port is in use');
    expect([server.securePort, home.https.status(systemCaller).isOn]).toEqual([0, false]);
    await home.https.turnOn(systemCaller, { source: 'own' });
    expectUnchanged();
    await another();
    expect(authorityOf(home)).not.toBe(authority);
  });

  it('lists the configured names that its authority may not sign for, and refuses those that are given', async () => {
    await home.https.turnOn(systemCaller, { source: 'own' });
    configured = ['home.example.org'];
    expect(home.https.status(systemCaller).leftOut).toEqual(['home.example.org']);
    const given = { source: 'own', names: ['Relay.Example.org'] };
    await expect(home.https.turnOn(systemCaller, given)).rejects.toThrow(
      /may not sign for relay.example.org.*--new-auth/,
    );
    const status = await home.https.turnOn(systemCaller, { ...given, newAuthority: true });
    expect(status.names).toEqual(expect.arrayContaining(['home.example.org', 'relay.example.org']));
    expect(status.leftOut).toEqual([]);
    expect([...home.certificateKeeper.servedNames]).toContain('relay.example.org');
  });
});

describe('a certificate', () => {
  beforeEach(async () => {
    await home.certificateKeeper.start();
    await home.https.turnOn(systemCaller, { source: 'own' });
  });

  it('is renewed long before it ends, for the same authority', async () => {
    const { renewsAt } = home.https.status(systemCaller);
    const authority = authorityOf(home);
    clock.jumpWallClock(Number(renewsAt) - clock.now() - 3 * MINUTE_MS);
    await later(2 * MINUTE_MS);
    expect(server.served).toHaveLength(1);
    await later(2 * MINUTE_MS);
    expect(server.served).toHaveLength(2);
    expect(Number(home.https.status(systemCaller).renewsAt)).toBeGreaterThan(clock.now());
    expect(authorityOf(home)).toBe(authority);
  });

  it('is renewed when an address is added, and not when one goes', async () => {
    hosts = hosts.filter((host) => host !== '192.168.1.10');
    await later(2 * MINUTE_MS);
    expect(server.served).toHaveLength(1);
    hosts = [...hosts, '192.168.1.44'];
    await later(2 * MINUTE_MS);
    expect(server.served).toHaveLength(2);
    expect(last().subjectAltName).toContain('IP Address:192.168.1.44');
    expect(last().subjectAltName).not.toContain('192.168.1.10');
    hosts = [...hosts, '203.0.113.99'];
    await later(2 * MINUTE_MS);
    expect(server.served).toHaveLength(2);
  });

  it('that is not valid yet, because the clock was ahead, is replaced', async () => {
    clock.jumpWallClock(300 * DAY_MS);
    await home.certificateKeeper.look();
    clock.jumpWallClock(-300 * DAY_MS);
    await home.certificateKeeper.look();
    expect(Date.parse(last().validFrom)).toBeLessThan(clock.now());
    expect(server.served).toHaveLength(3);
  });

  it('is not made while the clock is not set, or is before the authority', async () => {
    const start = clock.now();
    clock.jumpWallClock(Date.UTC(1970, 0, 2) - clock.now());
    await home.certificateKeeper.look();
    expect(home.https.status(systemCaller).problem).toContain('The clock of this computer is not set');
    clock.jumpWallClock(start - 30 * DAY_MS - clock.now());
    await later(2 * MINUTE_MS);
    expect(home.https.status(systemCaller).problem).toMatch(/The authority is valid from .*Set the clock\./);
    expect(server.served).toHaveLength(1);
    clock.jumpWallClock(start + DAY_MS - clock.now());
    await later(2 * MINUTE_MS);
    expect(home.https.status(systemCaller).problem).toBeNull();
  });

  it('ends with its authority at the latest; then that has to be replaced', async () => {
    clock.jumpWallClock(3_600 * DAY_MS);
    await later(2 * MINUTE_MS);
    const { authorityExpiresAt, expiresAt } = home.https.status(systemCaller);
    expect(expiresAt).toBe(authorityExpiresAt);
    clock.jumpWallClock(Number(authorityExpiresAt) + DAY_MS - clock.now());
    await later(2 * MINUTE_MS);
    expect(home.https.status(systemCaller).problem).toMatch(/The authority ended .*--new-authority/);
    expect(server.securePort).not.toBe(0);
    const fresh = await home.https.renew(systemCaller, { newAuthority: true });
    expect(fresh.problem).toBeNull();
  });

  it('whose authority is damaged goes on; another one is made only when that is asked for', async () => {
    home.database.prepare("UPDATE https_keys SET private_key = 'x' WHERE kind = 'authority'").run();
    await later(2 * MINUTE_MS);
    expect(home.https.status(systemCaller).problem).toMatch(/^The key of the authority is damaged\. .*--new-authority/);
    await expect(home.https.renew(systemCaller, {})).rejects.toThrow('The key of the authority is damaged');
    expect(server.served).toHaveLength(1);
    expect((await home.https.renew(systemCaller, { newAuthority: true })).problem).toBeNull();
    expect(server.served).toHaveLength(2);
  });

  it('that is damaged itself is replaced', async () => {
    home.database.prepare("UPDATE https_keys SET certificate = 'x' WHERE kind = 'own'").run();
    await later(2 * MINUTE_MS);
    expect(server.served).toHaveLength(2);
    expect(home.https.status(systemCaller).problem).toBeNull();
  });
});

describe('a kill', () => {
  let directory: TempDirectory;
  beforeEach(() => {
    directory = createTempDirectory('https-kill');
  });
  afterEach(() => directory.remove());

  /** Copies the database as a kill would leave it, at each step of what is done. */
  function copies(path: string): {
    readonly at: string[];
    readonly maker: CertificateMaker;
    readonly server: FakeSecureServer;
  } {
    const at: string[] = [];
    const copy = (one: TestHome | undefined): void => {
      const to = directory.file(`killed-${at.length}.db`);
      one?.database.exec(`VACUUM INTO '${to}'`);
      at.push(to);
    };
    const step = <T>(act: () => T): T => {
      copy(running);
      const done = act();
      copy(running);
      return done;
    };
    const maker: CertificateMaker = {
      makeAuthority: (wanted) => step(() => certificateMaker.makeAuthority(wanted)),
      makeServer: (authority, wanted) => step(() => certificateMaker.makeServer(authority, wanted)),
    };
    class SteppingServer extends FakeSecureServer {
      override openSecure(port: number, tls: { readonly cert: string }) {
        return step(() => super.openSecure(port, tls));
      }
      override replaceSecure(tls: { readonly cert: string }) {
        step(() => super.replaceSecure(tls));
      }
    }
    let running: TestHome | undefined;
    const own = new SteppingServer();
    server = own;
    running = open({ path, certificateMaker: maker });
    home.close();
    home = running;
    return { at, maker, server: own };
  }

  it('at any step of a renewal leaves a key and a certificate that work, and the authority', async () => {
    const { at } = copies(directory.file('relay.db'));
    await home.https.turnOn(systemCaller, { source: 'own' });
    await home.https.renew(systemCaller, {});
    await home.https.renew(systemCaller, { newAuthority: true });
    expect(at.length).toBeGreaterThanOrEqual(14);
    let served = 0;
    for (const path of at) {
      server = new FakeSecureServer();
      const after = open({ path });
      await after.certificateKeeper.start();
      await after.certificateKeeper.look();
      const { isOn, problem } = after.https.status(systemCaller);
      expect(problem).toBeNull();
      const authority = after.https.authority();
      if (isOn) {
        served += 1;
        expect(last().verify(new X509Certificate(authority?.certificate ?? '').publicKey)).toBe(true);
        // What was stored is served as it is: the kill made nothing necessary.
        expect(server.served).toHaveLength(1);
      }
      await after.certificateKeeper.stop();
      after.close();
    }
    expect(served).toBeGreaterThanOrEqual(9);
  });
});

describe('the certificate of Tailscale', () => {
  const NAME = 'pi.tail1234.ts.net';
  let asked: string[];
  let onName: () => void;
  let refusal: string | undefined;
  let name: string;

  beforeEach(() => {
    asked = [];
    onName = () => {};
    refusal = undefined;
    name = NAME;
    home.close();
    home = open({
      tailscale: {
        name: async () => {
          onName();
          if (refusal !== undefined) throw new HearthError('conflict', refusal);
          return name;
        },
        obtain: async (wanted) => {
          asked.push(wanted);
          const validity = { notBefore: clock.now(), notAfter: clock.now() + 90 * DAY_MS };
          const permitted = { domains: [wanted], networks: [] };
          const authority = certificateMaker.makeAuthority({ commonName: 'x', permitted, ...validity });
          return certificateMaker.makeServer(authority, { names: [wanted], ...validity });
        },
      },
    });
  });

  it('is fetched, served, and fetched again a month before it ends', async () => {
    const status = await home.https.turnOn(systemCaller, { source: 'tailscale' });
    expect(status).toMatchObject({ source: 'tailscale', names: [NAME], addresses: [`https://${NAME}:5658`] });
    expect(status).toMatchObject({ authorityFingerprint: null, trustUrl: null });
    expect(home.https.authority()).toBeUndefined();
    clock.jumpWallClock(59 * DAY_MS);
    await home.certificateKeeper.look();
    expect(asked).toEqual([NAME]);
    clock.jumpWallClock(2 * DAY_MS);
    await home.certificateKeeper.look();
    expect(asked).toEqual([NAME, NAME]);
    expect(server.served).toHaveLength(2);
  });

  it('stays in use while it can’t be renewed; the next attempts wait longer and longer', async () => {
    await home.https.turnOn(systemCaller, { source: 'tailscale' });
    clock.jumpWallClock(61 * DAY_MS);
    refusal = 'Tailscale is stopped.';
    const tried: number[] = [];
    const start = clock.monotonic();
    onName = () => tried.push(Math.floor((clock.monotonic() - start) / 3_600_000));
    await home.certificateKeeper.look();
    expect(home.https.status(systemCaller).problem).toBe(refusal);
    for (let hour = 0; hour < 8; hour += 1) await later(3_600_000);
    expect(tried).toEqual([0, 1, 3, 7]);
    expect(server.securePort).not.toBe(0);
    refusal = undefined;
    for (let hour = 0; hour < 8; hour += 1) await later(3_600_000);
    expect(home.https.status(systemCaller).problem).toBeNull();
    expect(asked).toHaveLength(2);
  });

  it('is not turned on without Tailscale, with other names, or after the computer was renamed', async () => {
    refusal = 'Tailscale is not installed on this computer.';
    await expect(home.https.turnOn(systemCaller, { source: 'tailscale' })).rejects.toThrow(refusal);
    expect(home.https.status(systemCaller).isOn).toBe(false);
    refusal = undefined;
    const named = { source: 'tailscale', names: ['pi.example.org'] };
    await expect(home.https.turnOn(systemCaller, named)).rejects.toThrow('Tailscale gives this computer its name');
    const other = { source: 'tailscale', newAuthority: true };
    await expect(home.https.turnOn(systemCaller, other)).rejects.toThrow('only with the source own');
    await home.https.turnOn(systemCaller, { source: 'tailscale' });
    name = 'other.tail1234.ts.net';
    await expect(home.https.renew(systemCaller, {})).rejects.toThrow('hearthd https tailscale');
  });
});

describe('the certificate over ACME', () => {
  const NAMES = ['home.example.org'];
  let keys: string[];
  let missing: boolean;
  let aheadMs: number;

  beforeEach(() => {
    keys = [];
    missing = false;
    aheadMs = 0;
    home.close();
    home = open({
      acme: {
        check() {
          if (missing) throw new HearthError('conflict', 'Set acme_dns_hook');
        },
        newAccountKey: () => `key ${keys.length}`,
        obtain: async ({ names, accountKey }) => {
          keys.push(accountKey);
          if (keys.length === 1) throw new HearthError('conflict', 'The authority refused: try later');
          const validity = { notBefore: clock.now() + aheadMs, notAfter: clock.now() + 90 * DAY_MS };
          const authority = certificateMaker.makeAuthority({
            commonName: 'x',
            permitted: { domains: names, networks: [] },
            ...validity,
          });
          return certificateMaker.makeServer(authority, { names, ...validity });
        },
      },
    });
  });

  it('is asked for with one account, also after a refusal', async () => {
    const choice = { source: 'acme', names: NAMES, agreesToTerms: true };
    await expect(home.https.turnOn(systemCaller, choice)).rejects.toThrow('The authority refused: try later');
    expect(home.https.status(systemCaller).isOn).toBe(false);
    const status = await home.https.turnOn(systemCaller, choice);
    expect(status).toMatchObject({ source: 'acme', names: NAMES, problem: null });
    await home.https.renew(systemCaller, {});
    expect(keys).toEqual(['key 0', 'key 0', 'key 0']);
  });

  it('that is not valid yet, because the clock is behind, is not asked for every minute', async () => {
    const choice = { source: 'acme', names: NAMES, agreesToTerms: true };
    await expect(home.https.turnOn(systemCaller, choice)).rejects.toThrow('try later');
    aheadMs = DAY_MS;
    await home.https.turnOn(systemCaller, choice);
    const before = keys.length;
    for (let minute = 0; minute < 10; minute += 1) await later(MINUTE_MS);
    expect(keys).toHaveLength(before + 1);
    aheadMs = 0;
    await later(3_600_000);
    expect(keys).toHaveLength(before + 2);
    expect(home.https.status(systemCaller).problem).toBeNull();
  });

  it('needs names with a dot, agreement to the terms, and a program for the DNS', async () => {
    const turnOn = (choice: object) => home.https.turnOn(systemCaller, { source: 'acme', ...choice });
    await expect(turnOn({ agreesToTerms: true })).rejects.toThrow('give the host names');
    await expect(turnOn({ names: ['pi'], agreesToTerms: true })).rejects.toThrow('a public name has a dot');
    await expect(turnOn({ names: NAMES })).rejects.toThrow('agree to its terms');
    missing = true;
    await expect(turnOn({ names: NAMES, agreesToTerms: true })).rejects.toThrow('Set acme_dns_hook');
    expect(keys).toEqual([]);
  });

  it("can't be given a program by an owner: that setting holds from the start", () => {
    const change = () => home.relaySettings.update(systemCaller, { acme_dns_hook: '/bin/sh' });
    expect(change).toThrow('acme_dns_hook holds from the start on');
  });
});
