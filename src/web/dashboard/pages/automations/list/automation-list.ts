/** Simple and advanced automations as one list: sorted by name, with their last run, filtered by text and by state. */
import { type FlowRecord, toFlowRecord } from '../flow/flow-record.ts';
import type { NativeAutomation } from '../native/native-document.ts';
import { draftOf, type NativeDraft } from '../native/native-draft.ts';
import type { Failure } from '../runs/trace-words.ts';

interface Entry {
  readonly id: string;
  readonly name: string;
  readonly isEnabled: boolean;
  /** ISO 8601. */
  readonly lastRunAt: string | null;
  readonly isWithoutPlace: boolean;
}

export type AutomationEntry =
  | (Entry & { readonly kind: 'native'; readonly draft: NativeDraft })
  | (Entry & { readonly kind: 'flows'; readonly flow: FlowRecord | undefined });

/** Flows in the format of the list query. */
export interface ListedFlow {
  readonly id: string;
  readonly name: string;
  readonly enabled: boolean;
  readonly dataJson: string;
  readonly metadata: { readonly lastTriggeredAt: string | null };
}

/** The latest run of an automation, and its next time. */
export interface AutomationStatus {
  readonly last:
    | { readonly id: string; readonly status: string; readonly at: string; readonly failure: Failure }
    | undefined;
  readonly blockedReason: string | null;
  readonly nextAt: string | null;
}

export function entriesOf(
  natives: readonly NativeAutomation[],
  flows: readonly ListedFlow[],
  compare: (a: string, b: string) => number,
): readonly AutomationEntry[] {
  const entries: AutomationEntry[] = [
    ...natives.map(
      (native): AutomationEntry => ({
        kind: 'native',
        id: native.id,
        name: native.name,
        isEnabled: native.isEnabled,
        lastRunAt: native.lastFireDate ?? null,
        isWithoutPlace: native.trigger.activationState === 'disabledNoLocation',
        draft: draftOf(native),
      }),
    ),
    ...flows.map(
      (flow): AutomationEntry => ({
        kind: 'flows',
        id: flow.id,
        name: flow.name,
        isEnabled: flow.enabled,
        lastRunAt: flow.metadata.lastTriggeredAt,
        isWithoutPlace: false,
        flow: readFlow(flow.dataJson),
      }),
    ),
  ];
  return entries.toSorted((a, b) => compare(a.name, b.name));
}

/** An automation that this dashboard can't parse is listed by name. */
export function readFlow(dataJson: string): FlowRecord | undefined {
  try {
    return toFlowRecord(JSON.parse(dataJson));
  } catch {
    return undefined;
  }
}

export const FILTERS = ['all', 'active', 'off', 'trouble'] as const;
export type Filter = (typeof FILTERS)[number];

/** What the rooms of an automation are found with. */
export interface RoomsOfHome {
  readonly accessories: readonly { readonly id: string; readonly roomId: string | null }[];
  readonly serviceGroups: readonly { readonly id: string; readonly accessoryIds: readonly string[] }[];
}

/** The rooms of the accessories that it names anywhere, in templates and as members of a group too. */
export function roomIdsOf(entry: AutomationEntry, home: RoomsOfHome): ReadonlySet<string> {
  return roomIdsIn(entry.kind === 'native' ? entry.draft : entry.flow, home);
}

function roomIdsIn(part: object | undefined, { accessories, serviceGroups }: RoomsOfHome): ReadonlySet<string> {
  const record = JSON.stringify(part) ?? '';
  const members = serviceGroups.filter(({ id }) => record.includes(id)).flatMap(({ accessoryIds }) => accessoryIds);
  const used = accessories.filter(({ id }) => record.includes(id) || members.includes(id));
  return new Set(used.flatMap(({ roomId }) => roomId ?? []));
}

/** Where automations are that act in several rooms, and those that act in none. */
export const SEVERAL_ROOMS = 'several';
export const NO_ROOM = 'none';

/** The room in which it acts. One that only notifies is in the room of its triggers. */
function placeOf(entry: AutomationEntry, home: RoomsOfHome): string {
  const actions = (entry.kind === 'native' ? entry.draft : entry.flow)?.actions;
  const acted = roomIdsIn(actions, home);
  const [first, ...others] = acted.size > 0 ? acted : roomIdsOf(entry, home);
  return others.length > 0 ? SEVERAL_ROOMS : (first ?? NO_ROOM);
}

interface EntryGroup {
  readonly place: string;
  readonly entries: readonly AutomationEntry[];
}

/** @param roomIds the order of the rooms; after them come those of several rooms and of none */
export function groupsOf(
  entries: readonly AutomationEntry[],
  home: RoomsOfHome,
  roomIds: readonly string[],
): readonly EntryGroup[] {
  const places = new Map(entries.map((entry) => [entry, placeOf(entry, home)]));
  return [...roomIds, SEVERAL_ROOMS, NO_ROOM].flatMap((place) => {
    const some = entries.filter((entry) => places.get(entry) === place);
    return some.length > 0 ? [{ place, entries: some }] : [];
  });
}

/** @param textOf all of its visible text */
export function found(
  entries: readonly AutomationEntry[],
  { search, filter }: { readonly search: string; readonly filter: Filter },
  textOf: (entry: AutomationEntry) => string,
  hasTrouble: (entry: AutomationEntry) => boolean,
): readonly AutomationEntry[] {
  const words = search.toLocaleLowerCase().split(/\s+/).filter(Boolean);
  const fits: Readonly<Record<Filter, (entry: AutomationEntry) => boolean>> = {
    all: () => true,
    active: ({ isEnabled }) => isEnabled,
    off: ({ isEnabled }) => !isEnabled,
    trouble: hasTrouble,
  };
  return entries.filter((entry) => {
    if (!fits[filter](entry)) return false;
    const text = words.length > 0 ? textOf(entry).toLocaleLowerCase() : '';
    return words.every((word) => text.includes(word));
  });
}

/** Runs that succeeded, or that a user ended. */
const FINE: ReadonlySet<string> = new Set(['success', 'running', 'stopped', 'cancelled']);
/** Block reasons that protect the home, not ones that the user configured. */
const PROTECTIVE: ReadonlySet<string> = new Set(['rate_limit', 'depth', 'loop', 'missed']);

export type Trouble = 'failed' | 'held';

export function troubleOf(status: AutomationStatus | undefined): Trouble | undefined {
  if (status?.blockedReason && PROTECTIVE.has(status.blockedReason)) return 'held';
  return status?.last && !FINE.has(status.last.status) ? 'failed' : undefined;
}

/** Its address for programs ends with it, and does not come back. An automation that can't be read may have one. */
export function hasWebhook(entry: AutomationEntry): boolean {
  if (entry.kind === 'native') return false;
  return entry.flow?.triggers?.some(({ type }) => type === 'webhook') ?? true;
}
