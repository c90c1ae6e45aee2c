/** The plan, the ledger and the judgement of an endurance run; the run itself is `npm run endurance`. */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createTempDirectory } from '../support/temp-directory.ts';
import { Ledger } from './ledger.ts';
import { parseOptions } from './options.ts';
import { FAULTS, isOneOf, MOVING_FAULTS, makePlan, planRestarts } from './plan.ts';
import { type Findings, judge, memorySlope, type Sample, toMarkdown } from './report.ts';
import { SmallDisk } from './small-disk.ts';
import { WallClock } from './wall-clock.ts';

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

describe('the plan of restarts', () => {
  it('is as many ends of the daemon as were asked for, of both kinds, and the same for the same seed', () => {
    const plan = planRestarts(7, 100);
    expect(plan).toHaveLength(100);
    expect(new Set(plan.map(({ kind }) => kind))).toEqual(new Set(['kill', 'restart']));
    expect(planRestarts(7, 100)).toEqual(plan);
    expect(planRestarts(8, 100)).not.toEqual(plan);
  });
});

describe('the wall clock of the daemon', () => {
  it('is wrong by as much as it was set, for the daemon alone', () => {
    using directory = createTempDirectory('wall-clock');
    const clock = new WallClock(directory.file('clock'));
    const shown = (): number => {
      const { nodeFlags, variables } = clock.daemonOptions;
      const look =
        'const times = [Date.now(), new Date().getTime(), Date.parse(Date())]; console.log(Math.min(...times))';
      const args = [...nodeFlags, '--eval', look];
      return Number(execFileSync(process.execPath, args, { env: { ...process.env, ...variables } }));
    };
    const before = Date.now();
    clock.set(7 * HOUR_MS);
    // `Date()` has no milliseconds.
    expect(shown()).toBeGreaterThanOrEqual(before + 7 * HOUR_MS - 1_000);
    clock.set(-10 * HOUR_MS);
    expect(shown()).toBeLessThanOrEqual(Date.now() - 3 * HOUR_MS);
    expect(clock.farJumps).toBe(1);
    expect(clock.shownAt(before)).toBe(before - 3 * HOUR_MS);
  });

  it('changes under a process that runs, in which dates made of a time stay as they are', () => {
    using directory = createTempDirectory('wall-clock');
    const clock = new WallClock(directory.file('clock'));
    const { nodeFlags, variables } = clock.daemonOptions;
    const set = `
      import { writeFileSync } from 'node:fs';
      const before = Date.now();
      writeFileSync(process.env.ENDURANCE_CLOCK_FILE, '${HOUR_MS}');
      while (Date.now() - before < ${HOUR_MS}) await new Promise(setImmediate);
      console.log([new Date(5).getTime(), new Date() instanceof Date, new Date(2026, 0).getFullYear()].join());`;
    const args = [...nodeFlags, '--input-type=module', '--eval', set];
    const out = execFileSync(process.execPath, args, { env: { ...process.env, ...variables } });
    expect(String(out).trim()).toBe('5,true,2026');
  });
});

it('a full disk takes not a byte more, until it has room', ({ skip }) => {
  using directory = createTempDirectory('small-disk');
  using disk = SmallDisk.mount(directory.path);
  if (!disk) return skip('this user may not mount a file system');
  const page = Buffer.alloc(4_096);
  writeFileSync(directory.file('before'), page);
  disk.fill();
  expect(() => writeFileSync(directory.file('after'), page)).toThrow(/ENOSPC/);
  expect(readFileSync(directory.file('before'))).toEqual(page);
  disk.makeRoom();
  writeFileSync(directory.file('after'), page);
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

  it('lets a kill lose the event of a change that was acknowledged just before, and no other', () => {
    const ledger = new Ledger();
    for (const text of ['a', 'b', 'c']) ledger.send(text);
    ledger.isSent('a', 10_000);
    ledger.isSent('b', 11_500);
    ledger.ends('restart', 11_000);
    ledger.ends('kill', 12_500);
    ledger.isSent('c', 13_000);
    expect(ledger.missingDeliveries).toEqual(['a', 'c']);
    expect(ledger.deliveries).toEqual({ sent: 3, arrived: 0, killed: 1 });
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
    expect(ledger.wrongs[0]?.what).toBe('b, acknowledged after the last end of the daemon');
  });
});

describe('the report', () => {
  const good: Findings = {
    ...{ seed: 7, ranMs: 3 * MINUTE_MS, accessories: 60, lives: 4, isInterrupted: false },
    faults: makePlan({ seed: 7, ...OPTIONS }),
    writes: { given: 100, acknowledged: 90 },
    timers: { begun: 10, counted: 10, excused: 0, refusedByDisk: 0, notAcknowledged: 1 },
    refusedByDisk: 0,
    deliveries: { sent: 5, arrived: 5, killed: 0 },
    ...{ devicesBack: [100, 200, 9_000], daemonReady: [800], homeBack: [1_500], diskBack: [] },
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
    ['nothing that succeeded', { timers: { begun: 0, counted: 0, excused: 0, refusedByDisk: 0, notAcknowledged: 9 } }],
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
      ...{ durationMs: 2.5 * HOUR_MS, restarts: undefined, seed: 7, help: false },
    });
    expect(parseOptions(['--restarts', '1000'])).toMatchObject({ restarts: 1_000 });
    expect(parseOptions([]).durationMs).toBe(5 * MINUTE_MS);
    expect(parseOptions([]).seed).not.toBe(parseOptions([]).seed);
  });

  it.each([
    ['--hours', 'x'],
    ['--minutes', '1'],
    ['--seed', '1.5'],
    ['--seed', ''],
    ['--minutes', '-5'],
    ['--restarts', '0'],
    ['--restarts', '1.5'],
  ])('%s %s is refused with a sentence', (flag, value) => {
    expect(() => parseOptions([`${flag}=${value}`])).toThrow(/--hours|two minutes|--seed|--minutes|--restarts/);
  });
});
