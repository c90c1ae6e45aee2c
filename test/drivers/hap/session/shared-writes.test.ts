/** Commands that wait for the same connection leave as one request, and each keeps its own outcome. */
import { afterEach, expect, it } from 'vitest';
import { batchWrites } from '../../../../src/drivers/hap/wire/characteristics-codec.ts';
import { DEFAULT_LIMITS } from '../../../../src/drivers/hap/wire/limits.ts';
import { SharedWrite } from '../../../../src/drivers/hap/wire/shared-write.ts';
import type { RawRequest } from '../../../support/accessories/raw-wire.ts';
import { bridgeDatabase, timedLockAccessory } from '../../../support/accessories/sample-databases.ts';
import { type FixtureOptions, SessionFixture } from './session-fixture.ts';

const open: SessionFixture[] = [];

async function bridge(children: number, options: FixtureOptions = {}): Promise<SessionFixture> {
  const fixture = await SessionFixture.ready({ accessory: { database: bridgeDatabase(children) }, ...options });
  open.push(fixture);
  return fixture;
}

afterEach(() => Promise.all(open.splice(0).map((fixture) => fixture.close())));

const bodies = ({ accessory }: SessionFixture): string[] =>
  accessory.requests
    .filter(({ method, body }: RawRequest) => method === 'PUT' && body.includes('"value"'))
    .map(({ body }) => body.toString());
const idsIn = (body: string): string[] =>
  [...body.matchAll(/"aid":(\d+),"iid":(\d+)/g)].map(([, aid, iid]) => `${aid}.${iid}`);
const set = ({ session }: SessionFixture, aid: number, value: number, iid = 10) =>
  session.write([{ aid: String(aid), iid: String(iid), value }]);

it('the first leaves at once, and the others together when it is answered', async () => {
  const fixture = await bridge(12);
  const outcomes = await Promise.all([2, 3, 4, 5, 6].map((aid) => set(fixture, aid, aid)));
  expect(outcomes.flat()).toEqual([2, 3, 4, 5, 6].map((value) => ({ ok: true, value })));
  expect(bodies(fixture).map(idsIn)).toEqual([['2.10'], ['3.10', '4.10', '5.10', '6.10']]);
  expect(fixture.accessory.writes.map(({ value }) => value)).toEqual([2, 3, 4, 5, 6]);
});

it('never two values of one characteristic in one request, and in their order', async () => {
  const fixture = await bridge(4);
  const outcomes = await Promise.all([
    set(fixture, 2, 1),
    set(fixture, 3, 1),
    set(fixture, 4, 1),
    set(fixture, 3, 2),
    set(fixture, 5, 2),
  ]);
  expect(outcomes.flat().every(({ ok }) => ok)).toBe(true);
  expect(bodies(fixture).map(idsIn)).toEqual([['2.10'], ['3.10', '4.10'], ['3.10', '5.10']]);
  expect(fixture.accessory.writes.filter(({ aid }) => aid === '3').map(({ value }) => value)).toEqual([1, 2]);
});

it('keep to the device’s limits together', async () => {
  const fixture = await bridge(100);
  await Promise.all(Array.from({ length: 100 }, (_, index) => set(fixture, index + 2, 7)));
  expect(fixture.accessory.writes).toHaveLength(100);
  for (const { bytes } of fixture.accessory.requests) expect(bytes).toBeLessThanOrEqual(900);
  expect(bodies(fixture).length).toBeLessThan(20);
});

it('one that is invalid does not fail the others, in a list of statuses', async () => {
  const fixture = await bridge(4);
  fixture.accessory.fail({ aid: 3, iid: 10, status: -70410, on: 'write' });
  const outcomes = await Promise.all([2, 3, 4].map((aid) => set(fixture, aid, 9)));
  expect(outcomes.flat()).toMatchObject([{ ok: true }, { ok: false, reason: 'invalid_value' }, { ok: true }]);
  expect(bodies(fixture)).toHaveLength(2);
});

it.each([
  [400, '{"status":-70410}'],
  [500, '{"charact'],
])('where a device refuses all for one of them (%i), each is sent alone', async (status, body) => {
  const fixture = await bridge(5);
  const names3 = (request: RawRequest) => request.method === 'PUT' && request.body.includes('"aid":3,"iid":10,"value"');
  fixture.accessory.play({ on: names3, apply: false, status, body, times: 10 });
  const outcomes = await Promise.all([2, 3, 4, 5].map((aid) => set(fixture, aid, 9)));
  expect(outcomes.flat()).toMatchObject([{ ok: true }, { ok: false }, { ok: true }, { ok: true }]);
  expect(fixture.accessory.writes.map(({ aid }) => aid).sort()).toEqual(['2', '4', '5']);
});

it('are tried again where the device is busy', async () => {
  const fixture = await bridge(4);
  fixture.accessory.fail({ aid: 4, iid: 10, status: -70403, on: 'write', times: 1 });
  const outcomes = await Promise.all([2, 3, 4].map((aid) => set(fixture, aid, 9)));
  expect(outcomes.flat().every(({ ok }) => ok)).toBe(true);
  expect(fixture.accessory.writes).toHaveLength(3);
});

it('a command behind a timed one does not overtake it', async () => {
  const fixture = await SessionFixture.ready({
    accessory: { database: [...bridgeDatabase(3), timedLockAccessory('Lock', 9)] },
  });
  open.push(fixture);
  await Promise.all([set(fixture, 2, 1), set(fixture, 3, 1), set(fixture, 9, 1), set(fixture, 4, 1)]);
  expect(bodies(fixture).map(idsIn)).toEqual([['2.10'], ['3.10'], ['9.10'], ['4.10']]);
});

it('one whose deadline has passed is left out, and the others leave', async () => {
  const shared = new SharedWrite();
  const element = (aid: string) => ({ aid, iid: '10', members: '"value":1' });
  const late = shared.add([element('2')], 100);
  const inTime = shared.add([element('3')], 500);
  expect(shared.sendBy).toBe(500);
  expect(idsIn(shared.body(300))).toEqual(['3.10']);
  await expect(late).rejects.toMatchObject({ fault: 'expired', maybeDone: false });
  expect(shared.accepts([element('4')], DEFAULT_LIMITS)).toBe(false);
  shared.answered({ status: -70410 });
  expect(await inTime).toEqual({ status: -70410 });
});

it('each finds its true outcome where the answer is lost', async () => {
  const fixture = await bridge(4);
  const isShared = ({ body }: RawRequest) => idsIn(body.toString()).length > 1 && body.includes('"value"');
  fixture.accessory.play({ on: isShared, cutAt: 0 });
  const outcomes = await Promise.all([2, 3, 4].map((aid) => set(fixture, aid, 9)));
  expect(outcomes.flat()).toEqual([9, 9, 9].map((value) => ({ ok: true, value })));
  expect(fixture.accessory.writes).toHaveLength(3);
});

it.each([
  { maxIds: 3, maxBytes: 10_000, oneAccessory: false },
  { maxIds: 100, maxBytes: 300, oneAccessory: false },
  { maxIds: 100, maxBytes: 10_000, oneAccessory: true },
])('takes what fits into one request, and no more: %o', (some) => {
  const limits = { ...DEFAULT_LIMITS, ...some };
  const elementsOf = (n: number) =>
    Array.from({ length: 1 + (n % 2) }, (_, at) => ({
      aid: String(2 + (n % 3 === 0 ? at : 0)),
      iid: String(10 * n + at),
      members: `"value":"${'ü'.repeat(n % 7)}"`,
    }));
  const shared = new SharedWrite();
  void shared.add(elementsOf(0));
  const answers: boolean[] = [];
  for (let n = 1; n < 12; n += 1) {
    const elements = elementsOf(n);
    const fits = shared.accepts(elements, limits);
    expect(fits).toBe(batchWrites([...shared.elements, ...elements], limits).length === 1);
    answers.push(fits);
    if (fits) void shared.add(elements);
  }
  expect(new Set(answers)).toEqual(new Set([true, false]));
});
