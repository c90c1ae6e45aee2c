import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FakeMatterBridges, OPENED_AT } from '../support/fake-matter-bridges.ts';
import { type RunningDaemon, startDaemon } from './running-daemon.ts';

let daemon: RunningDaemon;
const hearthd = (...args: string[]) => daemon.hearthd('publish', ...args);
const json = async (...args: string[]) => JSON.parse((await hearthd(...args, '--json')).out);

beforeEach(async () => {
  daemon = await startDaemon();
});
afterEach(() => daemon.stop());

describe('hearthd publish', () => {
  it('creates, shows, pauses, resets and deletes a publication', async () => {
    expect((await hearthd('list')).err).toContain('No publications');
    const created = await json('create', '--kind', 'homekit', '--name', 'Hearth');
    expect(created).toMatchObject({ kind: 'homekit', bridges: [{ name: 'Hearth' }] });
    const [bridge] = created.bridges;
    expect(bridge.deviceId).toMatch(/^(?:[0-9A-F]{2}:){5}[0-9A-F]{2}$/);
    expect(bridge.setupCode).toMatch(/^\d{3}-\d{2}-\d{3}$/);
    expect(bridge.setupUri).toMatch(/^X-HM:\/\/[0-9A-Z]{13}$/);
    expect(await json('list')).toMatchObject([{ id: created.id, name: 'Hearth' }]);
    const shown = (await hearthd('show', 'hearth')).out;
    expect(shown).toContain(`Setup code: ${bridge.setupCode}`);
    expect((await hearthd('pause', 'Hearth')).out).toBe('The publication Hearth is paused.\n');
    expect(await json('show', 'Hearth')).toMatchObject({ status: 'paused' });
    expect((await hearthd('resume', 'Hearth')).code).toBe(0);
    expect((await hearthd('update', 'Hearth', '--name', 'Flat')).out).toBe('Updated the publication Flat.\n');
    expect((await json('reset', 'Flat')).bridges[0].setupCode).not.toBe(bridge.setupCode);
    expect(await json('controllers', 'Flat')).toEqual([]);
    expect((await hearthd('remove-controller', 'Flat', 'phone')).code).not.toBe(0);
    expect((await hearthd('delete', 'Flat')).out).toBe('Deleted the publication Flat.\n');
  });

  it('answers pause, resume, reset and delete in JSON too', async () => {
    const { id, bridges } = await json('create', '--kind', 'homekit', '--name', 'Hearth');
    const [{ deviceId, setupCode }] = bridges;
    const paused = { id, kind: 'homekit', paused: true, status: 'paused', bridges: [{ deviceId, port: null }] };
    expect(await json('pause', 'Hearth')).toMatchObject(paused);
    const resumed = await json('resume', 'Hearth');
    expect(resumed).toMatchObject({ id, paused: false, bridges: [{ deviceId, setupCode }] });
    expect(resumed.status).not.toBe('paused');
    expect(await json('show', 'Hearth')).toEqual(resumed);
    const reset = await json('reset', 'Hearth');
    expect(reset).toMatchObject({ id, bridges: [{ name: 'Hearth' }] });
    expect(reset.bridges[0].deviceId).not.toBe(deviceId);
    expect(reset.bridges[0].setupCode).not.toBe(setupCode);
    expect(await json('delete', 'Hearth')).toEqual({ success: true, publicationId: id });
    expect(await json('list')).toEqual([]);
    expect(await json('pause', 'Hearth')).toMatchObject({
      error: 'No publication "Hearth". hearthd publish list lists them.',
      code: 'publication_not_found',
    });
  });

  it('previews what options select, and names what is missing', async () => {
    const preview = await json('preview', '--kind', 'homekit', '--types', 'light');
    expect(preview).toMatchObject({ bridges: [{ name: 'New publication' }] });
    await hearthd('create', '--kind', 'homekit', '--name', 'Hearth');
    expect(await json('preview', 'Hearth')).toMatchObject({ bridges: [{ name: 'Hearth' }] });
    expect((await hearthd('preview')).err).toContain('Pass a publication');
    expect((await hearthd('create', '--name', 'X')).err).toContain('--kind');
    expect((await hearthd('create', '--kind', 'homekit', '--name', 'X', '--rooms', 'Cellar')).err).toContain('Cellar');
  });

  it('creates a publication over Matter, and names why a window can’t be opened', async () => {
    const created = await json('create', '--kind', 'matter', '--name', 'Hearth');
    expect(created).toMatchObject({ kind: 'matter', bridges: [{ name: 'Hearth', setupCode: null, deviceId: null }] });
    const [bridge] = created.bridges;
    expect(bridge.passcode).toBeGreaterThan(0);
    expect(bridge.discriminator).toBeGreaterThanOrEqual(0);
    expect((await hearthd('open-window', 'Hearth')).err).toContain('The Matter bridge is not open');
    expect((await hearthd('close-window', 'Hearth')).err).toContain('The Matter bridge is not open');
    expect(await json('controllers', 'Hearth')).toEqual([]);
    await hearthd('create', '--kind', 'homekit', '--name', 'Apple');
    expect((await hearthd('open-window', 'Apple')).err).toContain('has no window');
  });

  it('asks for a PIN for locks, or reads it from stdin, never takes it as an argument, and removes it', async () => {
    const create = ['publish', 'create', '--kind', 'matter', '--name', 'Hearth'];
    expect((await hearthd(...create.slice(1), '--lock-pin')).err).toContain('--lock-pin-stdin');
    expect((await hearthd(...create.slice(1), '--lock-pin', '482915')).code).toBe(2);
    const short = await daemon.hearthdOn({ stdin: '12' }, ...create, '--lock-pin-stdin');
    expect(short.err).toContain('a PIN for locks has 4 to 8 digits');
    expect((await daemon.hearthdOn({ secret: '482915' }, ...create, '--lock-pin')).code).toBe(0);
    expect(await json('show', 'Hearth')).toMatchObject({ hasLockPin: true });
    expect((await hearthd('show', 'Hearth')).out).toContain('Locks take a PIN.');
    expect((await hearthd('update', 'Hearth', '--no-lock-pin')).code).toBe(0);
    expect(await json('show', 'Hearth')).toMatchObject({ hasLockPin: false });
    expect((await hearthd('show', 'Hearth')).out).not.toContain('PIN');
    const update = ['publish', 'update', 'Hearth', '--lock-pin-stdin'];
    expect((await daemon.hearthdOn({ stdin: '4829' }, ...update, '--json')).out).toContain('"hasLockPin": true');
    expect((await daemon.hearthdOn({ stdin: '4829' }, ...update, '--no-lock-pin')).err).toContain('--no-lock-pin');
    expect((await hearthd('update', 'Hearth')).code).toBe(2);
  });

  it('shows until when controllers can be added over Matter, and that another program has its port', async () => {
    const matter = new FakeMatterBridges();
    await daemon.stop();
    daemon = await startDaemon({ sample: true, openMatterBridge: matter.open });
    await daemon.home.publications.servers.start();
    const created = await json('create', '--kind', 'matter', '--name', 'Hearth');
    expect(created).toMatchObject({ status: 'open', bridges: [{ hasMatterPort: true, windowEndsAt: null }] });
    const first = await hearthd('show', 'Hearth');
    expect(first.out).not.toContain('until');
    expect(first.err).toBe('');

    matter.last.port = 5_541;
    matter.last.setFabrics([
      { index: 1, label: '', vendorId: 1, fabricId: 'A', nodeId: 'B', isConnected: true, lastSeenAt: null },
    ]);
    expect((await hearthd('open-window', 'Hearth')).code).toBe(0);
    expect(await json('show', 'Hearth')).toMatchObject({
      bridges: [{ port: 5_541, hasMatterPort: false, windowEndsAt: new Date(OPENED_AT + 900_000).toISOString() }],
    });
    const opened = await hearthd('show', 'Hearth');
    expect(opened.out).toContain('Controllers can be added until 2027-01-15 08:15:00.');
    expect(opened.err).toContain('UDP port 5540 is taken. Alexa finds a bridge only there.');
    expect((await json('close-window', 'Hearth')).bridges).toMatchObject([{ windowEndsAt: null }]);
    expect((await hearthd('show', 'Hearth')).out).not.toContain('until');
  });
});
