/** Which automation of the home the clock or the sun triggers next. */
import { useQuery } from '@tanstack/react-query';
import { ask } from '../../api/client.ts';
import { graphql, present, type ResultOf } from '../../api/graphql.ts';
import type { QuerySubject } from '../../api/query.ts';

const ScheduledQuery = graphql(`
  query ScheduledAutomations($homeId: String!) {
    automations(homeId: $homeId) {
      id
      name
      isEnabled
    }
    flows(homeId: $homeId) {
      id
      name
      enabled
    }
  }
`);

export interface NextDue {
  readonly id: string;
  readonly name: string;
  readonly kind: 'native' | 'flows';
  /** ISO 8601. */
  readonly at: string;
}

type Scheduled = Omit<NextDue, 'at'>;

/** A document may have one field 30 times. */
export const AT_ONCE = 30;
const UUID = /^[0-9a-f-]{36}$/i;

/** The automations that may run; ids become part of a document, so only valid ids are allowed. */
export function enabledOf({ automations, flows }: ResultOf<typeof ScheduledQuery>): readonly Scheduled[] {
  const native = present(automations).filter(({ isEnabled }) => isEnabled);
  const all: readonly Scheduled[] = [
    ...native.map(({ id, name }) => ({ id, name, kind: 'native' as const })),
    ...present(flows)
      .filter(({ enabled }) => enabled)
      .map(({ id, name }) => ({ id, name, kind: 'flows' as const })),
  ];
  return all.filter(({ id }) => UUID.test(id));
}

export function datesDocument(automations: readonly Scheduled[]): string {
  const fields = automations.map(({ id }, index) => `n${index}: nextFireDates(automationId: "${id}", count: 1)`);
  return `query NextDates { ${fields.join('\n')} }`;
}

/** @param answer to `datesDocument` */
export function readDates(automations: readonly Scheduled[], answer: unknown): readonly NextDue[] {
  const fields = (answer ?? {}) as Readonly<Record<string, unknown>>;
  return automations.flatMap((automation, index) => {
    const dates = fields[`n${index}`];
    const [at] = Array.isArray(dates) ? dates : [];
    return typeof at === 'string' ? [{ ...automation, at }] : [];
  });
}

/** The earliest; of several at one time, the first by name. */
export function earliest(due: readonly NextDue[]): NextDue | null {
  const [first] = due.toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at) || a.name.localeCompare(b.name));
  return first ?? null;
}

async function askNextDue(homeId: string, signal: AbortSignal): Promise<NextDue | null> {
  const automations = enabledOf(await ask(ScheduledQuery, { homeId }, { signal }));
  const chunks = Array.from({ length: Math.ceil(automations.length / AT_ONCE) }, (_, index) =>
    automations.slice(index * AT_ONCE, (index + 1) * AT_ONCE),
  );
  const due = await Promise.all(
    chunks.map(async (chunk) => readDates(chunk, await ask(datesDocument(chunk), {} as never, { signal }))),
  );
  const next = earliest(due.flat());
  keepWhether(homeId, next !== null);
  return next;
}

const KEY = 'hearthd.due';

/** Whether something was due when this device showed the home last. */
export function hadDue(homeId: string): boolean {
  try {
    return localStorage.getItem(KEY) === homeId;
  } catch {
    return false;
  }
}

/** Of one home: most people have one. */
function keepWhether(homeId: string, isDue: boolean): void {
  try {
    if (isDue) localStorage.setItem(KEY, homeId);
    else if (localStorage.getItem(KEY) === homeId) localStorage.removeItem(KEY);
  } catch {
    // Without storage, the line comes as the answer does.
  }
}

const SUBJECTS: readonly QuerySubject[] = ['schedule'];
/** The relay plans the next time once it has fired. */
const AFTER_MS = 1_000;
/** Clocks of browsers may be ahead of the relay's. */
const MIN_WAIT_MS = 30_000;
/** A computer that sleeps does not count. */
const MAX_WAIT_MS = 600_000;

/** When to ask again, although nothing was changed: its time has passed then. */
export function waitUntilPast(next: NextDue | null | undefined, now: number): number | false {
  if (!next) return false;
  return Math.min(Math.max(Date.parse(next.at) - now + AFTER_MS, MIN_WAIT_MS), MAX_WAIT_MS);
}

/** @returns `null` if nothing of the home goes by the clock; `undefined` until that is known */
export function useNextDue(homeId: string): NextDue | null | undefined {
  const { data } = useQuery({
    queryKey: ['next due', homeId],
    queryFn: ({ signal }) => askNextDue(homeId, signal),
    meta: { subjects: SUBJECTS },
    refetchInterval: ({ state }) => waitUntilPast(state.data, Date.now()),
  });
  return data;
}
