import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Caller } from '../../../src/app/access/caller.ts';
import { FakeBridges } from '../../support/fake-bridges.ts';
import { callerOf, systemCaller } from '../../support/test-home.ts';
import { anonymousCaller, CountingHasher, createUser } from '../../support/test-users.ts';
import { publishedNamed } from '../publications/publication-fixture.ts';
import { type ActiveHome, LAMP_DEVICE, LOCK_DEVICE, MOTION_DEVICE, openActiveHome } from './activity-fixture.ts';

const AID = '1';
const ON = '9';
const LOCK_CURRENT = '9';
const LOCK_TARGET = '10';

let bridges: FakeBridges;
let home: ActiveHome;

beforeEach(() => {
  bridges = new FakeBridges();
  home = openActiveHome({ passwordHasher: new CountingHasher(), openBridge: bridges.open });
});
afterEach(async () => {
  await home.stop();
  home.close();
});

/** Each kind of caller, by how the log names it. */
const CALLERS: readonly (readonly [actor: string, caller: () => Promise<Caller> | Caller])[] = [
  ['user Ann', async () => (await createUser(home, { role: 'control' })).caller],
  [
    'access_token Wall tablet',
    () => {
      const { info } = home.tokens.create(systemCaller, { name: 'Wall tablet' });
      return callerOf({ kind: 'access_token', tokenId: info.id, homePermissions: null, makerId: null });
    },
  ],
  [
    'app Lights for all',
    async () => {
      const { user } = await createUser(home, { role: 'control' });
      const metadata = { client_name: 'Lights for all', redirect_uris: ['http://127.0.0.1/callback'] };
      const { client } = home.oauthClients.register(systemCaller, metadata);
      const { id: userId } = user;
      return callerOf({ kind: 'oauth_client', clientId: client.id, userId, scope: 'write', homePermissions: null });
    },
  ],
  [
    'share_link For the plumber',
    async () => {
      const { shareHash: hash } = await home.shares.create(systemCaller, {
        entityType: 'home',
        entityId: home.homeId,
        accessType: 'public',
        role: 'control',
        name: 'For the plumber',
      });
      return (await home.shares.open(anonymousCaller(), { hash })).caller;
    },
  ],
  ['automation Hall light', () => home.automationCaller(home.saveFlow({ name: 'Hall light' }).id)],
  [
    'mqtt_broker Mosquitto',
    () => {
      const { id } = home.brokers.add(systemCaller, home.homeId, { name: 'Mosquitto', host: 'broker.local' });
      return callerOf({ kind: 'mqtt_broker', brokerId: id, homeId: home.homeId });
    },
  ],
  ['relay', () => systemCaller],
];

describe('a change is attributed to', () => {
  it.each(CALLERS)('%s', async (actor, makeCaller) => {
    await home.switchLamp(await makeCaller());
    expect(await home.lines()).toEqual([`Lamp on: ${actor}`]);
  });

  it('publication Apple Home', async () => {
    await home.publications.servers.start();
    await home.publications.create(systemCaller, { name: 'Apple Home', kind: 'homekit', homeId: home.homeId });
    await publishedNamed(Object.assign(home, { bridges }) as never, 'Lamp', 'Apple Home').write('25', true);
    expect(await home.lines()).toEqual(['Lamp on: publication Apple Home']);
    await home.publications.servers.stop();
  });

  it('the device, if nothing was written to it', async () => {
    home.driver.event(LAMP_DEVICE, AID, ON, true);
    expect(await home.lines()).toEqual(['Lamp on: device']);
  });

  it('the caller of a scene, and of a service group', async () => {
    const { caller } = await createUser(home, { role: 'control' });
    const lampId = home.named('Lamp').id;
    const action = { accessoryId: lampId, characteristicType: 'on', targetValue: true };
    const scene = home.scenes.create(systemCaller, { homeId: home.homeId, name: 'Evening', actions: [action] });
    await home.scenes.execute(caller, scene.id);
    expect(await home.lines()).toEqual(['Evening ran: user Ann', 'Lamp on: user Ann']);
    const group = home.serviceGroups.create(systemCaller, { homeId: home.homeId, name: 'All', accessoryIds: [lampId] });
    await home.serviceGroups.set(caller, group.id, { characteristicType: 'on', value: false });
    expect(await home.lines({ limit: 1 })).toEqual(['Lamp off: user Ann']);
  });

  it('the caller that operates a virtual accessory', async () => {
    const { caller } = await createUser(home, { role: 'control' });
    const { id } = home.virtuals.create(systemCaller, { homeId: home.homeId, name: 'Guests', type: 'input_boolean' });
    home.virtuals.operate(caller, id, 'toggle');
    expect(await home.lines({ accessoryId: id })).toEqual(['Guests on: user Ann']);
  });

  it('the automation that ran, and a run to the caller that requested it', async () => {
    const motion = { type: 'state', accessoryId: home.named('Motion').id, characteristicType: 'motion_detected' };
    const lampId = home.named('Lamp').id;
    const { id } = home.saveFlow({
      name: 'Hall light',
      triggers: [{ id: 't', ...motion, to: true }],
      actions: [{ type: 'set_characteristic', accessoryId: lampId, characteristicType: 'on', value: true }],
    });
    home.driver.event(MOTION_DEVICE, AID, '9', true);
    await home.settle();
    expect([...(await home.lines())].sort()).toEqual([
      'Hall light ran: automation Hall light',
      'Lamp on: automation Hall light',
      'Motion detected: device',
    ]);
    home.flows.run((await createUser(home, { role: 'control' })).caller, id);
    await home.settle();
    expect(await home.lines({ kind: 'automation', limit: 1 })).toEqual(['Hall light ran: user Ann']);
  });
});

describe('an entry has the run', () => {
  const setLamp = (value: boolean) => ({
    ...{ type: 'set_characteristic', accessoryId: home.named('Lamp').id, characteristicType: 'on', value },
  });
  /** `Lamp on: 0`, newest first, where 0 is the first of the runs; `null` is none. */
  const linesOf = async (...runs: (string | undefined)[]) =>
    (await home.list()).map(
      ({ subject, value, runId }) => `${subject.name} ${value}: ${runId === null ? null : runs.indexOf(runId)}`,
    );

  it('of its automation, and nothing else has one', async () => {
    const { id } = home.saveFlow({
      name: 'Hall light',
      triggers: [
        {
          ...{ id: 't', type: 'state', accessoryId: home.named('Motion').id, characteristicType: 'motion_detected' },
          to: true,
        },
      ],
      actions: [setLamp(true)],
    });
    home.driver.event(MOTION_DEVICE, AID, '9', true);
    await home.settle();
    await home.switchLamp(systemCaller, false);
    const [first] = home.tracesOf(id);
    expect(first?.triggerData).toMatchObject({ accessory_id: home.named('Motion').id });
    expect((await linesOf(first?.id)).sort()).toEqual([
      'Hall light ran: 0',
      'Lamp off: null',
      'Lamp on: 0',
      'Motion detected: null',
    ]);
    home.flows.run((await createUser(home, { role: 'control' })).caller, id);
    await home.settle();
    const [second] = home.tracesOf(id);
    const [run] = await home.list({ kind: 'automation', limit: 1 });
    expect(run).toMatchObject({ actor: { kind: 'user' }, runId: second?.id });
    expect(second?.id).not.toBe(first?.id);
  });

  it('that failed', async () => {
    const { id } = home.saveFlow({ name: 'Hall light', actions: [setLamp(true)] });
    home.driver.setReachable(LAMP_DEVICE, false);
    home.run(id);
    await home.settle();
    expect(await linesOf(home.tracesOf(id)[0]?.id)).toEqual([
      'Hall light failed: 0',
      'Hall light ran: 0',
      'Lamp offline: null',
    ]);
  });

  it('that executed the scene, and that a lock obeyed minutes later', async () => {
    const accessoryId = home.named('Front Door').id;
    const action = { accessoryId, characteristicType: 'lock_target', targetValue: false };
    const scene = home.scenes.create(systemCaller, { homeId: home.homeId, name: 'Welcome', actions: [action] });
    const { id } = home.saveFlow({ name: 'Arrive home', actions: [{ type: 'execute_scene', sceneId: scene.id }] });
    home.run(id);
    await home.settle();
    await home.clock.advance(60_000);
    home.driver.event(LOCK_DEVICE, AID, LOCK_CURRENT, 0);
    const lines = await linesOf(home.tracesOf(id)[0]?.id);
    expect(lines.sort()).toEqual(['Arrive home ran: 0', 'Front Door unlocked: 0', 'Welcome ran: 0']);
  });

  it('where no history is recorded, too', async () => {
    home.history.setEnabled(systemCaller, home.homeId, false);
    const { id } = home.saveFlow({ name: 'Hall light', actions: [setLamp(true)] });
    home.run(id);
    await home.settle();
    const accessoryId = home.named('Lamp').id;
    expect(await home.list({ accessoryId, limit: 1 })).toMatchObject([{ id: '0', runId: home.tracesOf(id)[0]?.id }]);
  });
});

describe('a device that responds later', () => {
  const lock = (caller: Caller, locked: boolean) =>
    home.control.setProperties(caller, [
      { accessoryId: home.named('Front Door').id, settings: { lock_target: locked } },
    ]);

  it('reaches its target for the caller, minutes later too', async () => {
    const { caller } = await createUser(home, { role: 'control' });
    await lock(caller, false);
    await home.clock.advance(60_000);
    home.driver.event(LOCK_DEVICE, AID, LOCK_CURRENT, 0);
    expect(await home.lines()).toEqual(['Front Door unlocked: user Ann']);
  });

  it('is not the caller’s if it is used by hand meanwhile, or reaches something else', async () => {
    const { caller } = await createUser(home, { role: 'control' });
    await lock(caller, false);
    home.driver.event(LOCK_DEVICE, AID, LOCK_CURRENT, 2);
    expect(await home.lines({ limit: 1 })).toEqual(['Front Door jammed: device']);
    await home.clock.advance(60_000);
    home.driver.event(LOCK_DEVICE, AID, LOCK_TARGET, 1);
    home.driver.event(LOCK_DEVICE, AID, LOCK_CURRENT, 1);
    expect(await home.lines({ limit: 1 })).toEqual(['Front Door locked: device']);
  });

  it('is its own again five seconds after a write', async () => {
    await home.switchLamp((await createUser(home, { role: 'control' })).caller);
    await home.clock.advance(5_001);
    home.driver.event(LAMP_DEVICE, AID, ON, false);
    expect(await home.lines({ limit: 1 })).toEqual(['Lamp off: device']);
  });

  it('switches on with its brightness for the caller at once, later by hand', async () => {
    const { caller } = await createUser(home, { role: 'control' });
    const accessoryId = home.named('Lamp').id;
    await home.control.setProperties(caller, [{ accessoryId, settings: { brightness: 20 } }]);
    home.driver.event(LAMP_DEVICE, AID, ON, true);
    await home.clock.advance(1_001);
    home.driver.event(LAMP_DEVICE, AID, ON, false);
    expect(await home.lines()).toEqual(['Lamp off: device', 'Lamp on: user Ann']);
  });
});

it('A deleted caller keeps the name that it had', async () => {
  const { info } = home.tokens.create(systemCaller, { name: 'Wall tablet' });
  const principal = { kind: 'access_token', tokenId: info.id, homePermissions: null, makerId: null } as const;
  await home.switchLamp(callerOf(principal));
  expect((await home.list())[0]?.actor).toEqual({ kind: 'access_token', id: info.id, name: 'Wall tablet' });
  home.tokens.revoke(systemCaller, info.id);
  expect((await home.list())[0]?.actor.name).toBe('Wall tablet');
});

it('The secret of a share link is not in the log', async () => {
  const { shareHash } = await home.shares.create(systemCaller, {
    entityType: 'home',
    entityId: home.homeId,
    accessType: 'public',
    role: 'control',
  });
  const share = await home.shares.open(anonymousCaller(), { hash: shareHash });
  await home.switchLamp(share.caller);
  const [entry] = await home.list();
  expect(entry?.actor).toEqual({ kind: 'share_link', id: home.homeId, name: 'My Home' });
  expect(JSON.stringify(entry)).not.toContain(shareHash);
});
