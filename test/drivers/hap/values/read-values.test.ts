/** What a batch of characteristics comes to, for each answer as a whole; and when a device is left in peace. */
import { describe, expect, it } from 'vitest';
import { CharacteristicIndex, type Tracked } from '../../../../src/drivers/hap/values/characteristic-index.ts';
import { LiveSubscription, type LiveSubscriptionDeps } from '../../../../src/drivers/hap/values/live-subscription.ts';
import { Poller } from '../../../../src/drivers/hap/values/poller.ts';
import { type CharacteristicReading, readValues } from '../../../../src/drivers/hap/values/read-values.ts';
import { parseAccessories } from '../../../../src/drivers/hap/wire/accessory-database.ts';
import type { CharacteristicsAnswer } from '../../../../src/drivers/hap/wire/characteristic-requests.ts';
import { STATUS } from '../../../../src/drivers/hap/wire/characteristics-codec.ts';
import { RequestLimits } from '../../../../src/drivers/hap/wire/limits.ts';
import { lampAccessory } from '../../../support/accessories/sample-databases.ts';
import { TestClock } from '../../../support/test-clock.ts';

const index = new CharacteristicIndex(parseAccessories(JSON.stringify([lampAccessory('Lamp')])));
const lamp = ['9', '10'].map((iid) => index.find({ aid: '1', iid }) as Tracked);

/** A connection to a device that answers like this. */
function connected(answer: (ids: readonly Tracked[]) => CharacteristicsAnswer) {
  const asked: string[][] = [];
  const limits = new RequestLimits({ load: () => undefined, save() {} });
  const read = async (ids: readonly Tracked[]) => {
    asked.push(ids.map(({ iid }) => iid));
    return answer(ids);
  };
  const requests = { limits, read, connection: { quietMs: 0 } } as never;
  return { asked, limits, live: { requests, index } };
}

describe('a read', () => {
  async function statusesOf(answer: (ids: readonly Tracked[]) => CharacteristicsAnswer) {
    const { asked, live } = connected(answer);
    const results: CharacteristicReading[] = [];
    const clock = new TestClock();
    const end = readValues(lamp, { ...live, clock, onResults: (some) => results.push(...some) });
    await clock.advance(10_000);
    await end;
    return { asked, statuses: results.map(({ status }) => status) };
  }

  it('that succeeds as a whole, without a value, is unexplained for each characteristic', async () => {
    expect(await statusesOf(() => ({ status: STATUS.ok }))).toEqual({
      asked: [['9', '10'], ['9'], ['10']],
      statuses: [STATUS.unexplained, STATUS.unexplained],
    });
  });

  it('that fails as a whole is tried for each characteristic, which then fail alone', async () => {
    const answer = (ids: readonly Tracked[]): CharacteristicsAnswer =>
      ids.length === 1 && ids[0]?.iid === '10'
        ? [{ aid: '1', iid: '10', status: STATUS.ok, value: 50 }]
        : { status: STATUS.unreachable };
    expect(await statusesOf(answer)).toEqual({
      asked: [['9', '10'], ['9'], ['10']],
      statuses: [STATUS.unreachable, STATUS.ok],
    });
  });

  it('is tried three times where the device is busy, and never in parts', async () => {
    const all = ['9', '10'];
    expect(await statusesOf(() => ({ status: STATUS.busy }))).toEqual({
      asked: [all, all, all],
      statuses: [STATUS.busy, STATUS.busy],
    });
  });
});

describe('a device that is not to be polled', () => {
  it('is not checked for a silence either', async () => {
    const { limits, live, asked } = connected((ids) =>
      ids.map(({ aid, iid }) => ({ aid, iid, status: STATUS.ok, value: 1 })),
    );
    const clock = new TestClock();
    const poller = new Poller(clock, () => 0, limits);
    const reachability = { undecided: false, failing: [] };
    const intake = { withdrawn: new Set(), onRead() {} };
    const deps = { clock, poller, reachability, intake, onFault() {} };
    const subscription = new LiveSubscription(deps as unknown as LiveSubscriptionDeps);
    subscription.attend(live);
    await subscription.readAll(live);
    expect(clock.pendingTimers).toBe(1);
    limits.forbidPolling();
    await subscription.readAll(live);
    expect(asked).toHaveLength(2);
    expect(clock.pendingTimers).toBe(0);
  });
});
