/** The entries of a dry run, in chronological order. The API returns its lists as JSON, so each entry is validated. */
import { isConditionNotMet } from '../runs/condition-not-met.ts';
import type { Failure } from '../runs/trace-words.ts';

export type TimelineEvent =
  | {
      readonly kind: 'write';
      readonly accessoryId: string;
      readonly accessoryName: string;
      readonly characteristicType: string;
      readonly value: unknown;
      readonly operation: string | null;
      readonly error: string | null;
      readonly code: string | null;
    }
  | { readonly kind: 'notification'; readonly title: string | null; readonly message: string }
  | { readonly kind: 'request'; readonly method: string; readonly url: string }
  | { readonly kind: 'event'; readonly eventType: string }
  | { readonly kind: 'command'; readonly action: string; readonly automationName: string }
  | { readonly kind: 'blocked'; readonly automationName: string; readonly reason: string }
  | { readonly kind: 'failure'; readonly failure: Failure };

export type TimedEvent = TimelineEvent & {
  /** Milliseconds since the epoch, on the dry run's clock. */
  readonly at: number;
};

type Lists = Readonly<
  Record<'writes' | 'notifications' | 'requests' | 'events' | 'commands' | 'blocked' | 'runs', readonly unknown[]>
>;
type Members = Readonly<Record<string, unknown>>;

/** Unknown entries are left out: a newer relay may report more than this dashboard supports. */
export function timelineOf(simulation: Lists): readonly TimedEvent[] {
  const all = [
    ...read(simulation.writes, (entry) => ({
      kind: 'write',
      accessoryId: text(entry.accessoryId),
      accessoryName: text(entry.accessoryName),
      characteristicType: text(entry.characteristicType),
      value: entry.value,
      operation: textOrNull(entry.operation),
      error: textOrNull(entry.error),
      code: textOrNull(entry.code),
    })),
    ...read(simulation.notifications, (entry) => ({
      kind: 'notification',
      title: textOrNull(entry.title),
      message: text(entry.message),
    })),
    ...read(simulation.requests, (entry) => ({
      kind: 'request',
      method: text(entry.method),
      url: text(entry.url),
    })),
    ...read(simulation.events, (entry) => ({ kind: 'event', eventType: text(entry.eventType) })),
    ...read(simulation.commands, (entry) => ({
      kind: 'command',
      action: text(entry.action),
      automationName: text(entry.automationName),
    })),
    ...read(simulation.blocked, (entry) => ({
      kind: 'blocked',
      automationName: text(entry.automationName),
      reason: text(entry.reason),
    })),
    ...read(simulation.runs, ({ error, blockedReason, reason, refusals }) =>
      typeof error === 'string' && blockedReason == null
        ? { kind: 'failure', failure: { error, reason: textOrNull(reason), refusals: refusalsIn(refusals) } }
        : undefined,
    ),
  ];
  // Entries of one moment keep the order of the kinds: actions before notifications.
  return all.toSorted((a, b) => a.at - b.at);
}

function read(entries: readonly unknown[], take: (entry: Members) => TimelineEvent | undefined): readonly TimedEvent[] {
  return entries.flatMap((entry) => {
    if (typeof entry !== 'object' || entry === null) return [];
    const members = entry as Members;
    const at = Date.parse(text(members.at ?? members.finishedAt ?? members.startedAt));
    const event = Number.isNaN(at) ? undefined : take(members);
    return event ? [{ ...event, at }] : [];
  });
}

/** A simulated run that did nothing because a condition did not hold. */
export interface UnmetRun {
  readonly at: number;
  /** The relay's own summary of the conditions. */
  readonly summary: string;
  /** The place of the condition that decided, where all must hold; `undefined` if several decided together. */
  readonly index: number | undefined;
}

/** The runs without effect, in chronological order, and how many had one. */
export function unmetRunsOf({ runs }: Pick<Lists, 'runs'>): {
  readonly unmet: readonly UnmetRun[];
  readonly done: number;
} {
  const unmet = runs.flatMap((entry): readonly UnmetRun[] => {
    const { steps, startedAt } = membersIn(entry);
    const all = Array.isArray(steps) ? steps.map(membersIn) : [];
    const known = all.map(({ type, result, parentNodeId }) => ({
      ...{ type: text(type), result: text(result), parentNodeId: textOrNull(parentNodeId) },
    }));
    if (!isConditionNotMet({ steps: known })) return [];
    const step = all.find(({ type }) => type === 'condition');
    const { operator, conditions } = membersIn(step?.output);
    const failed = Array.isArray(conditions)
      ? conditions.findIndex((condition) => membersIn(condition).passed === false)
      : -1;
    const index = operator === 'and' && failed >= 0 ? failed : undefined;
    const summary = index === undefined || !Array.isArray(conditions) ? '' : text(membersIn(conditions[index]).summary);
    return [{ at: Date.parse(text(startedAt)), summary: summary || text(step?.nodeSummary), index }];
  });
  return { unmet, done: runs.length - unmet.length };
}

function membersIn(value: unknown): Members {
  return typeof value === 'object' && value !== null ? (value as Members) : {};
}

function refusalsIn(value: unknown): NonNullable<Failure['refusals']> {
  if (!Array.isArray(value)) return [];
  return value.map((each: Members | null) => ({ accessoryId: text(each?.accessoryId), code: text(each?.code) }));
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

/** The assumptions of a dry run. */
export interface Pretended {
  readonly accessoryId: string;
  readonly characteristicType: string;
  readonly value: unknown;
  readonly afterMs: number;
}

export interface Trial {
  readonly isAtOnce: boolean;
  /** ISO 8601; empty for now. */
  readonly start: string;
  readonly lengthMs: number;
  readonly changes: readonly Pretended[];
  readonly others: boolean;
}

/** The scenario for `simulateFlow`; incomplete changes are left out. */
export function scenarioOf({ isAtOnce, start, lengthMs, changes, others }: Trial): object {
  const complete = changes.filter(({ accessoryId, value }) => accessoryId !== '' && value != null);
  return {
    ...(start && { start }),
    durationS: lengthMs / 1000,
    others,
    ...(isAtOnce && { trigger: {} }),
    events: complete.map(({ accessoryId, characteristicType, value, afterMs }) => ({
      at: afterMs / 1000,
      set: { accessoryId, characteristicType, value },
    })),
  };
}
