/** The plan, the ledger and the judgement of an endurance run; the run itself is `npm run endurance`. */
import { describe, expect, it } from 'vitest';
import { Ledger } from './ledger.ts';
import { parseOptions } from './options.ts';
import { FAULTS, isOneOf, MOVING_FAULTS, makePlan } from './plan.ts';
import { type Findings, judge, memorySlope, type Sample, toMarkdown } from './report.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const OPTIONS = { durationMs: 2 * MINUTE_MS, devices: 13, announced: 6 };

describe('the plan', () => {
  it('is the same for the same seed, and another for another', () => {
    expect(makePlan({ seed: 7, ...OPTIONS })).toEqual(makePlan({ seed: 7, ...OPTIONS }));
    expect(makePlan({ seed: 8, ...OPTIONS })).not.toEqual(makePlan({ seed: 7, ...OPTIONS }));
  });

  it.each(Array.from({ length: 50 }, (_, seed) => seed))(
    'has every kind of fault in the shortest run, in order and in time (seed %i)',
    (seed) => {
      const plan = makePlan({ seed, ...OPTIONS });
      expect(new Set(plan.map(({ kind }) => kind))).toEqual(new Set(FAULTS));
      expect(plan.map(({ at }) => at)).toEqual(plan.map(({ at }) => at).sort((a, b) => a - b));
      expect(plan.every(({ at, device }) => at < OPTIONS.durationMs && device < OPTIONS.devices)).toBe(true);
      const moving = plan.filter(({ kind }) => isOneOf(MOVING_FAULTS, kind));
      expect(moving.every(({ device }) => device < OPTIONS.announced)).toBe(true);
    },
  );

  it('leaves the daemon one long life at the end, of which memory is judged', () => {
    const plan = makePlan({ seed: 3, ...OPTIONS, durationMs: HOUR_MS });
    const late = plan.filter(({ at }) => at >= (HOUR_MS * 2) / 3).map(({ kind }) => kind);
    expect(late).toContain('silent');
    expect(late.filter((kind) => kind === 'kill' || kind === 'restart')).toEqual([]);
  });
});

describe('the ledger', () => {
  const kinds = (ledger: Ledger): readonly string[] => ledger.wrongs.map(({ kind }) => kind);

  it('finds nothing wrong with writes that were carried out once, or not and without an acknowledgement', () => {
    const ledger = new Ledger();
    for (const value of [1, 2, 3]) ledger.give(value, 'Lamp', '20');
    ledger.carriedOut(1, 'Lamp', '20');
    ledger.acknowledge(1);
    ledger.carriedOut(2, 'Lamp', '20');
    ledger.close();
    expect(ledger.wrongs).toEqual([]);
    expect(ledger.writes).toEqual({ given: 3, acknowledged: 1 });
  });

  it('finds a write that was acknowledged and lost, repeated, or carried out elsewhere', () => {
    const ledger = new Ledger();
    for (const value of [1, 2, 3]) ledger.give(value, 'Lamp', '20');
    ledger.acknowledge(1);
    for (const _ of [1, 2, 3]) ledger.carriedOut(2, 'Lamp', '20');
    ledger.carriedOut(3, 'Lamp', '21');
    ledger.close();
    expect(kinds(ledger)).toEqual(['repeatedWrite', 'strayWrite', 'lostWrite']);
  });

  it('takes the last acknowledged setting, or the one that was on its way, and no other', () => {
    const ledger = new Ledger();
    ledger.set('name', 'a');
    ledger.isSet('name');
    ledger.set('name', 'b');
    ledger.found('name', 'a');
    ledger.set('name', 'c');
    ledger.found('name', 'c');
    expect(ledger.wrongs).toEqual([]);
    ledger.set('name', 'd');
    ledger.isSet('name');
    ledger.found('name', 'c');
    expect(kinds(ledger)).toEqual(['lostSetting']);
  });

  it('misses deliveries of what was acknowledged alone', () => {
    const ledger = new Ledger();
    for (const text of ['a', 'b', 'c']) ledger.send(text);
    ledger.isSent('a');
    ledger.arrived('a');
    ledger.isSent('b');
    expect(ledger.missingDeliveries).toEqual(['b']);
    ledger.close();
    expect(kinds(ledger)).toEqual(['lostDelivery']);
  });
});

describe('the report', () => {
  const good: Findings = {
    ...{ seed: 7, ranMs: 3 * MINUTE_MS, accessories: 60, lives: 4, isInterrupted: false },
    faults: makePlan({ seed: 7, ...OPTIONS }),
    writes: { given: 100, acknowledged: 90 },
    timers: { begun: 10, counted: 10, notAcknowledged: 1 },
    deliveries: { sent: 5, arrived: 5 },
    ...{ devicesBack: [100, 200, 9_000], daemonReady: [800], homeBack: [1_500] },
    ...{ samples: [], files: { first: 80, last: 85 }, wrongs: [] },
  };
  const growing = (mbPerHour: number): readonly Sample[] =>
    Array.from({ length: 60 }, (_, minute) => {
      return { life: 1, at: minute * MINUTE_MS, mb: 100 + (mbPerHour * minute) / 60, files: 80 };
    });

  it('of a run with nothing wrong is a success, and has the counts and times', () => {
    expect(judge(good)).toEqual([]);
    const text = toMarkdown(good);
    expect(text).toContain('# Endurance: nothing wrong');
    expect(text).toContain('| acknowledged writes lost | 0 |');
    expect(text).toContain('| a device, from the end of its fault | 3 | 0.2 s | 9.0 s | 9.0 s |');
  });

  it('of a run with a lost write is a failure, and names it', () => {
    const ledger = new Ledger();
    ledger.give(12, 'Lamp', '20');
    ledger.acknowledge(12);
    ledger.close();
    const bad = { ...good, wrongs: ledger.wrongs };
    expect(judge(bad)).toHaveLength(1);
    expect(toMarkdown(bad)).toContain('# Endurance: 1 wrong');
    expect(toMarkdown(bad)).toContain('- acknowledged writes lost: Lamp.20 = 12');
  });

  it.each([
    ['memory that grows', { samples: growing(100) }],
    ['open files that grow', { files: { first: 80, last: 200 } }],
    ['nothing that succeeded', { timers: { begun: 0, counted: 0, notAcknowledged: 9 } }],
  ])('of a run with %s is a failure', (_what, change) => {
    expect(judge({ ...good, ...change })).toHaveLength(1);
  });

  it('measures the slope of the last life, where that is long enough', () => {
    expect(memorySlope(growing(12))).toBeCloseTo(12);
    expect(memorySlope([...growing(12), { life: 2, at: 90_000, mb: 90, files: 80 }])).toBeUndefined();
    expect(judge({ ...good, samples: growing(12) })).toEqual([]);
  });
});

describe('the arguments', () => {
  it('are hours, minutes and a seed', () => {
    expect(parseOptions(['--hours', '2', '--minutes', '30', '--seed', '7'])).toEqual({
      ...{ durationMs: 2.5 * HOUR_MS, seed: 7, help: false },
    });
    expect(parseOptions([]).durationMs).toBe(5 * MINUTE_MS);
    expect(parseOptions([]).seed).not.toBe(parseOptions([]).seed);
  });

  it.each([
    ['--hours', 'x'],
    ['--minutes', '1'],
    ['--seed', '1.5'],
    ['--seed', ''],
    ['--minutes', '-5'],
  ])('%s %s is refused with a sentence', (flag, value) => {
    expect(() => parseOptions([`${flag}=${value}`])).toThrow(/--hours|two minutes|--seed|--minutes/);
  });
});
