import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { HomeReferences } from '../../../src/app/layout/references.ts';
import { plainSwitch } from '../../support/sample-accessories.ts';
import { createTestHome, systemCaller, type TestHome } from '../../support/test-home.ts';

const DAY_MS = 24 * 60 * 60_000;
const BRIDGE = '10:00:00:00:00:06';

let test: TestHome;
let references: HomeReferences;

beforeEach(() => {
  test = createTestHome({ sample: true });
  references = new HomeReferences(test.state);
});

afterEach(() => test.close());

function makeScene(name: string, ...accessories: readonly string[]): string {
  const actions = accessories.map((accessory) => ({
    accessoryId: test.named(accessory).id,
    characteristicType: 'on',
    targetValue: true,
  }));
  return test.scenes.create(systemCaller, { homeId: test.home.id, name, actions }).id;
}

function putGroup(name: string, ...accessories: readonly string[]): void {
  test.state.serviceGroups.put({
    id: crypto.randomUUID(),
    homeId: test.home.id,
    name,
    kind: 'switch',
    members: accessories.map((accessory) => ({ accessoryId: test.named(accessory).id, serviceIid: '8' })),
    icon: null,
    createdAt: 1,
  });
}

describe('what uses an accessory', () => {
  const usesOf = (id: string) => test.accessories.usesOf(systemCaller, id).map(({ kind, name }) => `${kind} ${name}`);

  it('is found among scenes, groups and native automations, each once', () => {
    const { id } = test.named('Kettle');
    makeScene('Movie', 'Lamp', 'Kettle');
    putGroup('Counter', 'Kettle', 'Heater');
    const action = { accessoryId: id, characteristicType: 'on', targetValue: false };
    const trigger = { type: 'timer', fireDate: '2099-01-01T07:00:00Z' };
    test.automations.create(systemCaller, { homeId: test.home.id, name: 'Night', trigger, actions: [action] });
    expect(usesOf(id.toUpperCase())).toEqual(['automation Night', 'group Counter', 'scene Movie']);
    expect(usesOf(test.named('Thermostat').id)).toEqual([]);
  });

  it('is hidden where the home is, and from share links, which show no more than their accessories', () => {
    const { id, homeId } = test.named('Kettle');
    const link = {
      kind: 'share_link',
      ...{ shareId: 'link', role: 'control', homeIds: new Set([homeId]), accessoryIds: new Set([id]) },
    };
    for (const principal of [link, { kind: 'anonymous' }]) {
      const caller = { ...systemCaller, principal } as never;
      expect(() => test.accessories.usesOf(caller, id)).toThrow(
        expect.objectContaining({ code: 'accessory_not_found' }),
      );
    }
  });
});

describe('references to accessories', () => {
  it('name each scene and group once', () => {
    makeScene('Movie', 'Lamp', 'Kettle');
    makeScene('Morning', 'Kettle');
    putGroup('Counter', 'Kettle', 'Heater', 'Kettle');
    const usedBy = (name: string) => references.usedBy(test.named(name).id.toUpperCase());
    expect(usedBy('Kettle')).toEqual(['the scene "Movie"', 'the scene "Morning"', 'the group "Counter"']);
    expect(usedBy('Lamp')).toEqual(['the scene "Movie"']);
    expect(usedBy('Thermostat')).toEqual([]);
    expect(references.usesOf(test.named('Lamp').id)).toEqual([
      { kind: 'scene', id: expect.any(String), name: 'Movie' },
    ]);
    const all = [...references.allUsed()].map((id) => test.state.accessory(id)?.name).sort();
    expect(all).toEqual(['Heater', 'Kettle', 'Lamp']);
  });

  it('keep what vanished or was unpaired longer than 30 days, until nothing refers to it any more', async () => {
    const { id } = test.named('Kettle');
    const lampId = test.named('Lamp').id;
    const scenes = [makeScene('Movie', 'Lamp', 'Kettle')];
    test.accessories.update(systemCaller, id, { name: 'Tea' });
    test.accessories.update(systemCaller, lampId, { name: 'Reading Lamp' });
    test.driver.describe(BRIDGE, [plainSwitch('Heater', '2')]);
    await test.pairings.unpair(systemCaller, '10:00:00:00:00:01');
    await test.clock.advance(60 * DAY_MS);
    expect(test.state.accessory(id)).toMatchObject({ name: 'Tea', reachable: false });
    await test.pairings.pair(systemCaller, { device: '10:00:00:00:00:01', setupCode: '031-45-154' });
    expect(test.state.accessory(lampId)?.name).toBe('Reading Lamp');
    for (const scene of scenes) test.scenes.delete(systemCaller, scene);
    await test.clock.advance(DAY_MS);
    expect(test.state.accessory(id)).toBeUndefined();
  });
});
