/** What holds for every history of a device: compared with the plainest account of it. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createTriggerFixture, MOTION, THERMOSTAT } from './trigger-fixture.ts';

const SECOND = 1_000;

/** What a device reports, and how many seconds it is silent then. */
const answered = <T>(value: fc.Arbitrary<T>) =>
  fc.array(fc.tuple(value, fc.integer({ min: 1, max: 9 })), { maxLength: 20 });

it('a number fires exactly when it goes from outside the range to inside', () => {
  const bounds = fc.record(
    { above: fc.integer({ min: 0, max: 40 }), below: fc.integer({ min: 0, max: 40 }) },
    { requiredKeys: [] },
  );
  const fixture = createTriggerFixture();
  fc.assert(
    fc.property(bounds, answered(fc.integer({ min: 0, max: 40 })), (range, history) => {
      fixture.report(THERMOSTAT, '9', 20.5);
      const { above = Number.NEGATIVE_INFINITY, below = Number.POSITIVE_INFINITY } = range;
      const isInside = (value: number): boolean => value > above && value < below;
      const values = history.map(([value]) => value);
      const expected = values.filter((value, index) => isInside(value) && !isInside(values[index - 1] ?? 20.5));
      const { fired, stop } = fixture.watch({
        type: 'numeric_state',
        accessoryId: fixture.named('Thermostat').id,
        characteristicType: 'current_temperature',
        ...range,
      });
      for (const value of values) fixture.report(THERMOSTAT, '9', value);
      stop();
      expect(fired.map(({ data }) => data.to_value)).toEqual(expected);
    }),
    { numRuns: 200 },
  );
  fixture.close();
});

/** When a value that came to be true has been so for `forSeconds`, the history's silence at the end included. */
function expectedFirings(history: readonly (readonly [boolean, number])[], forSeconds: number): readonly number[] {
  const firings: number[] = [];
  let at = 0;
  let since: number | undefined;
  for (const [value, silence] of history) {
    if (!value) since = undefined;
    else since ??= at;
    at += silence;
    const due = since === undefined ? Number.POSITIVE_INFINITY : since + forSeconds;
    if (due <= at && !firings.includes(due)) firings.push(due);
  }
  return firings;
}

it('"for" fires once for each time that something was so for that long, however often what is in memory is lost on the way', async () => {
  const losses = fc.array(fc.integer({ min: 0, max: 19 }), { maxLength: 5 });
  await fc.assert(
    fc.asyncProperty(
      answered(fc.boolean()),
      fc.integer({ min: 2, max: 15 }),
      losses,
      async (history, seconds, lostAt) => {
        const fixture = createTriggerFixture();
        const start = fixture.clock.now();
        const trigger = {
          type: 'state',
          accessoryId: fixture.named('Motion').id,
          characteristicType: 'motion_detected',
          to: true,
          for: { seconds },
        } as const;
        const watches = [fixture.watch(trigger)];
        for (const [index, [value, silence]] of history.entries()) {
          if (lostAt.includes(index)) {
            watches.at(-1)?.stop();
            fixture.forgetHolds();
            watches.push(fixture.watch(trigger));
          }
          fixture.report(MOTION, '9', value);
          await fixture.clock.advance(silence * SECOND);
        }
        const firings = watches.flatMap(({ fired }) => fired.map(({ at }) => (at - start) / SECOND));
        expect(firings).toEqual(expectedFirings(history, seconds));
        fixture.close();
      },
    ),
    { numRuns: 50 },
  );
});
