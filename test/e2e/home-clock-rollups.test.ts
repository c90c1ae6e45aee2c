/** A wall clock that is wrong for hours, with the history's hourly work going on all the while, and then set right. */
import { expect, it } from 'vitest';
import { E2eRelay } from '../support/e2e-relay.ts';
import { TestClock } from '../support/test-clock.ts';
import { ask, furnish, graphql } from './home-fixture.ts';

const HOUR_MS = 3_600_000;
const YEAR_MS = 365 * 24 * HOUR_MS;

it.each([
  ['a year ahead', YEAR_MS],
  ['a year behind', -YEAR_MS],
  ['a day ahead', 24 * HOUR_MS],
  ['eight hours behind', -8 * HOUR_MS],
])('%s: what was recorded before, meanwhile and afterwards is all there, hour by hour too', async (_, byMs) => {
  const start = Math.floor(Date.now() / HOUR_MS) * HOUR_MS + 60_000;
  const clock = new TestClock(start);
  await using relay = await E2eRelay.start({ overrides: { clock } });
  const { homeId, number } = await furnish(relay);
  const set = async (value: number): Promise<void> => {
    const { status } = await relay.asSystem('POST', `/rest/virtual-accessories/${number}/operate`, {
      operation: 'set',
      value,
    });
    expect(status).toBe(200);
  };
  /** Every ten minutes a value, for so many hours. */
  const live = async (hours: number, from: number): Promise<void> => {
    for (let n = 0; n < hours * 6; n += 1) {
      await set(from + (n % 6));
      await clock.advance(HOUR_MS / 6);
    }
  };
  const points = async (
    fromTs: number,
    toTs: number,
    resolution: string,
  ): Promise<{ ts: number; avg: number; max: number; count: number }[]> => {
    const series = [{ accessoryId: number, characteristicType: 'virtual_number' }];
    const { body } = await graphql(
      relay,
      `query($s: [HistorySeriesInput!]!) { history(homeId: "${homeId}", series: $s, fromTs: ${fromTs}, toTs: ${toTs}, maxPoints: 500, resolution: "${resolution}") { points { ts avg max count } } }`,
      { s: series },
    );
    expect(body.errors).toBeUndefined();
    return body.data.history[0].points;
  };
  await relay.asSystem('PATCH', `/rest/history/homes/${homeId}`, { enabled: true });
  await live(3, 10);
  clock.jumpWallClock(byMs);
  await live(3, 40);
  clock.jumpWallClock(-byMs);
  await live(3, 70);
  await clock.advance(2 * HOUR_MS);

  const { text } = await ask(relay, 'GET', `/rest/history/export?home=${homeId}&accessory=${number}`);
  const values = text
    .trimEnd()
    .split('\r\n')
    .slice(1)
    .map((line) => Number(line.split(',')[3]));
  for (const from of [10, 40, 70]) {
    for (let n = 0; n < 6; n += 1) {
      const times = values.filter((value) => value === from + n).length;
      expect(times, `samples of ${from + n}`).toBeGreaterThanOrEqual(3);
    }
  }
  for (const resolution of ['raw', 'hourly']) {
    const right = await points(start, clock.now(), resolution);
    const maxima = new Set(right.map(({ max }) => max));
    for (const from of [10, 70]) expect(maxima.has(from + 5), `${resolution} has ${from + 5}`).toBe(true);
    expect(
      right.every(({ ts }, index) => ts > (right[index - 1]?.ts ?? 0)),
      'in order',
    ).toBe(true);
    for (const { avg, max } of right) expect(avg).toBeLessThanOrEqual(max);
    const wrong = await points(start + byMs, start + byMs + 12 * HOUR_MS, resolution);
    expect(
      wrong.some(({ max }) => max === 45),
      `${resolution} has what was recorded meanwhile`,
    ).toBe(true);
  }
  const report = await ask(relay, 'GET', `/rest/history?accessory=${number}&hours=24`);
  expect(report.status).toBe(200);
});
