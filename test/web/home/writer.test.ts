import { beforeEach, describe, expect, it } from 'vitest';
import { ApiError } from '../../../src/web/dashboard/api/api-error.ts';
import type { Value } from '../../../src/web/dashboard/home/home-document.ts';
import { HomeStore } from '../../../src/web/dashboard/home/home-store.ts';
import { type Write, Writer } from '../../../src/web/dashboard/home/writer.ts';
import { accessoryOf, groupOf, heldBy, homeOf, lampOf, TestTimes } from './sample-home.ts';

/** Requests that are answered when the test asks for it. */
class Relay {
  readonly requests: {
    writes: readonly Write[];
    answer(refusals?: Readonly<Record<string, string>>): Promise<void>;
  }[] = [];

  readonly send = (writes: readonly Write[]) =>
    new Promise<readonly { success: boolean; value?: Value; error?: ApiError }[]>((resolve) => {
      this.requests.push({
        writes,
        async answer(refusals = {}) {
          resolve(
            writes.map(({ accessoryId, value }) => {
              const refusal = refusals[accessoryId];
              return refusal ? { success: false, error: new ApiError(refusal, refusal) } : { success: true, value };
            }),
          );
          // What awaits the answer runs in the tasks after it.
          await new Promise(setImmediate);
        },
      });
    });

  sent(): readonly (readonly (readonly [string, Value])[])[] {
    return this.requests.map(({ writes }) => writes.map(({ accessoryId, value }) => [accessoryId, value] as const));
  }
}

let store: HomeStore;
let relay: Relay;
let writer: Writer;
let refused: readonly string[];

beforeEach(() => {
  store = new HomeStore(new TestTimes());
  relay = new Relay();
  refused = [];
  writer = new Writer(store, relay.send, ({ accessoryId }, { code }) => {
    refused = [...refused, `${accessoryId}: ${code}`];
  });
  store.load(homeOf([lampOf('lamp')]));
});

const dim = (value: Value, accessoryId = 'lamp'): Write => ({
  ...{
    accessoryId,
    serviceId: `${accessoryId}.1`,
    characteristicId: `${accessoryId}.3`,
    characteristicType: 'brightness',
  },
  value,
});
const brightness = (id = 'lamp') => heldBy(store.accessory(id), 'brightness');

describe('writes', () => {
  it('send where a slider is when the device has answered, not each place where it was', async () => {
    for (const value of [41, 42, 43, 44]) writer.set(dim(value));
    expect(brightness()).toBe(44);
    expect(relay.sent()).toEqual([[['lamp', 41]]]);
    await relay.requests[0]?.answer();
    expect(relay.sent()).toEqual([[['lamp', 41]], [['lamp', 44]]]);
    expect(brightness()).toBe(44);
    await relay.requests[1]?.answer();
    expect(brightness()).toBe(44);
    expect(store.accessory('lamp')?.isPending).toBeUndefined();
    expect(relay.requests).toHaveLength(2);
  });

  it('go back to what the device has when it refuses, with the reason', async () => {
    writer.set(dim(90));
    await relay.requests[0]?.answer({ lamp: 'accessory_unreachable' });
    expect(brightness()).toBe(40);
    expect(refused).toEqual(['lamp: accessory_unreachable']);
  });

  it('go back when no answer comes at all', async () => {
    const lost = new Writer(
      store,
      () => Promise.reject(new ApiError('offline', 'gone')),
      ({ accessoryId }, { code }) => {
        refused = [...refused, `${accessoryId}: ${code}`];
      },
    );
    lost.set(dim(90));
    expect(brightness()).toBe(90);
    await new Promise(setImmediate);
    expect(brightness()).toBe(40);
    expect(refused).toEqual(['lamp: offline']);
  });

  it('of several characteristics are one request', () => {
    writer.set(dim(10), { ...dim(true), characteristicId: 'lamp.2', characteristicType: 'power_state' });
    expect(relay.requests).toHaveLength(1);
    expect(relay.requests[0]?.writes).toHaveLength(2);
  });
});

describe('what is set on a service group', () => {
  const old = (id: string) =>
    accessoryOf(id, 'fan', {
      fan: { power_state: false, rotation_speed: { value: 0, minValue: 0, maxValue: 50, minStep: 1 } },
    });
  const modern = (id: string) =>
    accessoryOf(id, 'fan', {
      fan: { active: 0, rotation_speed: { value: 0, minValue: 0, maxValue: 100, minStep: 1 } },
    });
  const set = (type: string, value: Value): Write => {
    const found = store.accessory('fans')?.services[0]?.characteristics.find((one) => one.type === type);
    return {
      accessoryId: 'fans',
      serviceId: 'fans.1',
      characteristicId: found?.id ?? '',
      characteristicType: type,
      value,
    };
  };

  beforeEach(() => {
    const members = [old('old'), modern('new'), { ...modern('silent'), isReachable: false }];
    store.load(homeOf(members, [groupOf(old('fans'), members)]));
  });

  it('is set on each member that answers, in its own words and within its own range', () => {
    writer.set(set('power_state', true), set('rotation_speed', 80));
    expect(relay.sent()).toEqual([
      [
        ['old', true],
        ['new', 1],
        ['old', 50],
        ['new', 80],
      ],
    ]);
    expect(heldBy(store.accessory('fans'), 'power_state')).toBe(true);
    expect(heldBy(store.accessory('silent'), 'active')).toBe(0);
  });

  it('is of those that took it; the others are listed by name', async () => {
    writer.set(set('power_state', true));
    await relay.requests[0]?.answer({ new: 'accessory_unreachable' });
    expect(refused).toEqual(['new: accessory_unreachable']);
    expect(heldBy(store.accessory('old'), 'power_state')).toBe(true);
    expect(heldBy(store.accessory('new'), 'active')).toBe(0);
    expect(heldBy(store.accessory('fans'), 'power_state')).toBe(true);
  });
});
