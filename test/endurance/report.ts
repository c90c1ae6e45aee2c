/** What a run found, in Markdown. */

import { type Ledger, WRONGS, type Wrong, type WrongKind } from './ledger.ts';
import { FAULTS, type Fault } from './plan.ts';

/** What one look at the daemon's process showed. */
export interface Sample {
  /** Which life of the daemon, from 1. */
  readonly life: number;
  /** Milliseconds since that life was ready. */
  readonly at: number;
  readonly mb: number;
  readonly files: number;
}

export interface Findings {
  readonly seed: number;
  readonly ranMs: number;
  readonly accessories: number;
  readonly lives: number;
  /** What was carried out of the plan. */
  readonly faults: readonly Fault[];
  readonly writes: { readonly given: number; readonly acknowledged: number };
  readonly timers: Readonly<Ledger['timers']>;
  readonly deliveries: Ledger['deliveries'];
  /** Changes that were refused for a full disk. */
  readonly refusedByDisk: number;
  /** Milliseconds from the end of a fault until the device's newest value is shown. */
  readonly devicesBack: readonly number[];
  /** Milliseconds from the start of the daemon's process until it serves, and until all devices are connected. */
  readonly daemonReady: readonly number[];
  readonly homeBack: readonly number[];
  /** Milliseconds from the moment when a full disk has room until a change is saved. */
  readonly diskBack: readonly number[];
  readonly samples: readonly Sample[];
  /** Open files and sockets with all devices connected: in the first life, and at the end. */
  readonly files: { readonly first: number; readonly last: number };
  readonly wrongs: readonly Wrong[];
  readonly isInterrupted: boolean;
}

const HOUR_MS = 3_600_000;
/** The start of a life is no part of a slope. */
const WARM_MS = 60_000;
/** A shorter life is too short for a slope. */
const LEAST_MS = 20 * 60_000;
const MOST_MB_PER_HOUR = 30;
/** Connections come and go. */
const SPARE_FILES = 20;

/** Megabytes an hour in the last life, by least squares; `undefined` where that was too short. */
export function memorySlope(samples: readonly Sample[], leastMs = LEAST_MS): number | undefined {
  const life = samples.at(-1)?.life;
  const warm = samples.filter((sample) => sample.life === life && sample.at >= WARM_MS);
  const spread = (warm.at(-1)?.at ?? 0) - (warm[0]?.at ?? 0);
  if (spread < leastMs) return undefined;
  const mean = (values: readonly number[]): number => values.reduce((sum, one) => sum + one, 0) / values.length;
  const at = mean(warm.map((one) => one.at));
  const mb = mean(warm.map((one) => one.mb));
  const above = warm.reduce((sum, one) => sum + (one.at - at) * (one.mb - mb), 0);
  const below = warm.reduce((sum, one) => sum + (one.at - at) ** 2, 0);
  return (above / below) * HOUR_MS;
}

/** All that is wrong with a run; empty is success. */
export function judge({
  wrongs,
  samples,
  files,
  writes,
  timers,
  deliveries,
  isInterrupted,
}: Findings): readonly Wrong[] {
  const slope = memorySlope(samples);
  const isHollow = [writes.acknowledged, timers.counted, deliveries.arrived].includes(0);
  const leaks: string[] = [];
  if (slope !== undefined && slope > MOST_MB_PER_HOUR) leaks.push(`memory grew by ${slope.toFixed(1)} MB an hour`);
  if (files.last > files.first + SPARE_FILES) leaks.push(`open files: ${files.first} at first, ${files.last} at last`);
  const hollow: Wrong = { kind: 'failure', what: 'no write, no timer or no delivery succeeded: nothing was tested' };
  return [
    ...wrongs,
    ...leaks.map((what): Wrong => ({ kind: 'leak', what })),
    ...(isHollow && !isInterrupted ? [hollow] : []),
  ];
}

export function toMarkdown(findings: Findings): string {
  const { seed, ranMs, accessories, lives, faults, writes, timers, deliveries, files, samples, isInterrupted } =
    findings;
  const { refusedByDisk } = findings;
  const wrongs = judge(findings);
  const slope = memorySlope(samples);
  const last = samples.at(-1);
  const count = (kind: WrongKind): string => String(wrongs.filter((one) => one.kind === kind).length);
  const lines = [
    `# Endurance: ${wrongs.length === 0 ? 'nothing wrong' : `${wrongs.length} wrong`}${isInterrupted ? ' so far' : ''}`,
    '',
    `Seed ${seed}; ${(ranMs / 60_000).toFixed(1)} minutes${isInterrupted ? ', interrupted' : ''}; ` +
      `${accessories} accessories; ${lives} lives of the daemon; ${faults.length} faults.`,
    '',
    ...table(
      ['Wrong', 'Count'],
      (Object.keys(WRONGS) as WrongKind[]).map((kind) => [WRONGS[kind], count(kind)]),
    ),
    '',
    ...table(
      ['What was done', 'Count'],
      [
        ['writes to devices', `${writes.given}, ${writes.acknowledged} of them acknowledged`],
        ['timers, delays, waits, holds and moments', `${timers.begun}, ${timers.counted} of them counted once`],
        ['timers that a clock set far ahead may skip, or one set back put off', String(timers.excused)],
        ['timers that report a full disk', String(timers.refusedByDisk)],
        ['timers without an acknowledgement, which may or may not count', String(timers.notAcknowledged)],
        ['changes that a full disk refused', String(refusedByDisk)],
        ['webhook deliveries', `${deliveries.sent}, ${deliveries.arrived} of them arrived`],
        ['webhook deliveries of the two seconds before a kill that did not arrive', String(deliveries.killed)],
      ],
    ),
    '',
    ...table(
      ['Time to come back', 'Times', 'p50', 'p95', 'Max'],
      [
        ['a device, from the end of its fault', ...spreadOf(findings.devicesBack)],
        ['the daemon, from its start until it serves', ...spreadOf(findings.daemonReady)],
        ['all devices, from the start of the daemon', ...spreadOf(findings.homeBack)],
        ['a change that is saved, from the moment when a full disk has room', ...spreadOf(findings.diskBack)],
      ],
    ),
    '',
    ...table(
      ['The daemon', ''],
      [
        ['memory at the end', last ? `${last.mb.toFixed(0)} MB` : 'not measured'],
        ['memory slope of the last life', slope === undefined ? 'too short a life' : `${slope.toFixed(1)} MB an hour`],
        ['open files, in the first life and at the end', `${files.first}, ${files.last}`],
      ],
    ),
    '',
    ...table(
      ['Fault', 'Times'],
      FAULTS.map((kind) => [kind, String(faults.filter((fault) => fault.kind === kind).length)]),
    ),
    '',
    ...wrongs.map(({ kind, what }) => `- ${WRONGS[kind]}: ${what}`),
  ];
  return `${lines.join('\n').trimEnd()}\n`;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): readonly string[] {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`);
}

/** Count, median, 95th percentile and maximum. */
function spreadOf(times: readonly number[]): readonly string[] {
  const sorted = [...times].sort((a, b) => a - b);
  const at = (share: number): string => {
    const ms = sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)];
    return ms === undefined ? '–' : `${(ms / 1_000).toFixed(1)} s`;
  };
  return [String(sorted.length), at(0.5), at(0.95), at(1)];
}
