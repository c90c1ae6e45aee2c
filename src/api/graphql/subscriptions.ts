/**
 * Events of the home, as GraphQL subscriptions. All of them read the ring that every live stream reads, each with its
 * own filter. Each event is checked against the caller's permissions.
 */
import type { Caller } from '../../app/access/caller.ts';
import { HearthError } from '../../kernel/errors.ts';
import { isWanted, LIVE_EVENTS, type LiveEventType } from '../live/live-event.ts';
import type { Missed } from '../live/live-reader.ts';
import { presentTime } from '../present/time.ts';
import type { Maybe } from './arguments.ts';
import { builder } from './builder.ts';
import type { GraphqlContext, GraphqlDeps } from './context.ts';
import { type LiveMessage, LiveSource } from './live-source.ts';

builder.subscriptionType({
  description:
    'What happens from now on: a stream of server-sent events for those who ask with `Accept: text/event-stream`. It ends when the credentials do.',
});

const MissedEvents = builder.objectRef<Missed>('MissedEvents').implement({
  description:
    'Events that the caller did not get: it took them too slowly, or was away for too long. Read the state again.',
  fields: (t) => ({
    reason: t.exposeString('reason', {
      nullable: false,
      description: '`overflow`: it was too slow, or too long away. `restarted`: the relay has restarted meanwhile.',
    }),
    count: t.int({
      description: 'How many at most; null where that can’t be known.',
      resolve: (missed) => (missed.reason === 'overflow' ? missed.count : null),
    }),
  }),
});

const MISSED = {
  type: MissedEvents,
  description: 'What was lost before it; null if nothing was, as nearly always.',
  resolve: ({ missed }: LiveMessage) => missed,
} as const;
const TIMESTAMP = {
  nullable: false,
  description: 'When it happened: ISO 8601 in UTC.',
  resolve: ({ event }: LiveMessage) => presentTime(event.at),
} as const;
const ROOM = { description: 'The room of the accessory.', resolve: ({ event }: LiveMessage) => event.roomId } as const;

/** A field that every event of this type has, as a string. */
const given = (field: string, description: string) =>
  ({ nullable: false, description, resolve: ({ event }: LiveMessage) => String(event.data[field]) }) as const;

const LiveEventObject = builder.objectRef<LiveMessage>('LiveEvent').implement({
  description: 'Something that happened.',
  fields: (t) => ({
    id: t.string({
      nullable: false,
      description: 'For `after`, to go on from here.',
      resolve: ({ event }) => event.id,
    }),
    type: t.string({
      nullable: false,
      description: `One of ${Object.keys(LIVE_EVENTS).join(', ')}.`,
      resolve: ({ event }) => event.type,
    }),
    timestamp: t.string(TIMESTAMP),
    homeId: t.string({
      description: 'Where; null for what the relay as a whole does.',
      resolve: ({ event }) => event.homeId,
    }),
    roomId: t.string(ROOM),
    accessoryId: t.string({ description: 'The one that it is about.', resolve: ({ event }) => event.accessoryId }),
    data: t.field({
      type: 'JSON',
      nullable: false,
      description: 'Its details: the `data` that webhooks send.',
      resolve: ({ event }) => event.data,
    }),
    missed: t.field(MISSED),
  }),
});

const StateChange = builder.objectRef<LiveMessage>('StateChange').implement({
  description: 'A characteristic has a new value, confirmed by its device, or a button was pressed.',
  fields: (t) => ({
    accessoryId: t.string(given('accessoryId', 'A UUID.')),
    accessoryName: t.string(given('accessoryName', 'Its name.')),
    homeId: t.string(given('homeId', 'Its home.')),
    roomId: t.string(ROOM),
    characteristicType: t.string(given('characteristicType', '`power_state`, `brightness` …, as webhooks have it.')),
    value: t.field({ type: 'JSON', description: 'The new one.', resolve: ({ event }) => event.data.value }),
    timestamp: t.string(TIMESTAMP),
    missed: t.field(MISSED),
  }),
});

const ReachabilityChange = builder.objectRef<LiveMessage>('ReachabilityChange').implement({
  description: 'An accessory answers again, or does not any more.',
  fields: (t) => ({
    accessoryId: t.string(given('accessoryId', 'A UUID.')),
    accessoryName: t.string(given('accessoryName', 'Its name.')),
    homeId: t.string(given('homeId', 'Its home.')),
    roomId: t.string(ROOM),
    isReachable: t.boolean({
      nullable: false,
      description: 'Whether it answers.',
      resolve: ({ event }) => event.data.isReachable === true,
    }),
    timestamp: t.string(TIMESTAMP),
    missed: t.field(MISSED),
  }),
});

const AutomationFiring = builder.objectRef<LiveMessage>('AutomationFiring').implement({
  description: 'An automation began to run.',
  fields: (t) => ({
    automationId: t.string(given('automationId', 'A UUID.')),
    automationName: t.string(given('automationName', 'Its name.')),
    kind: t.string(given('kind', '`native` or `flow`.')),
    runId: t.string(given('runId', 'The id of its trace.')),
    homeId: t.string(given('homeId', 'Its home.')),
    timestamp: t.string(TIMESTAMP),
    missed: t.field(MISSED),
  }),
});

const HOME = 'Only of this home; NOT_FOUND if the caller may not see it.';
const ACCESSORIES = 'Only of these; NOT_FOUND if the caller may not see one of them.';

builder.subscriptionFields((t) => ({
  events: t.field({
    type: LiveEventObject,
    nullable: false,
    description: 'Everything that happens where the caller may look.',
    args: {
      homeId: t.arg.string({ description: HOME }),
      accessoryIds: t.arg.stringList({ description: ACCESSORIES }),
      types: t.arg.stringList({ description: 'Only of these types. INVALID_VALUE for one that there is not.' }),
      after: t.arg.string({ description: 'The `id` of the last one that the caller has: first what came since.' }),
    },
    subscribe: (_, { types, after, ...wanted }, context) =>
      open(context, wanted, { types: types ? types.map(parseType) : undefined, after: after ?? undefined }),
    resolve: (message) => message,
  }),
  stateChanged: t.field({
    type: StateChange,
    nullable: false,
    description: 'New values of characteristics, and presses of buttons.',
    args: { homeId: t.arg.string({ description: HOME }), accessoryIds: t.arg.stringList({ description: ACCESSORIES }) },
    subscribe: (_, wanted, context) => open(context, wanted, { types: ['state.changed'] }),
    resolve: (message) => message,
  }),
  accessoryReachabilityChanged: t.field({
    type: ReachabilityChange,
    nullable: false,
    description: 'Accessories that answer again, and those that do not any more.',
    args: { homeId: t.arg.string({ description: HOME }), accessoryIds: t.arg.stringList({ description: ACCESSORIES }) },
    subscribe: (_, wanted, context) => open(context, wanted, { types: ['accessory.reachability_changed'] }),
    resolve: (message) => message,
  }),
  automationFired: t.field({
    type: AutomationFiring,
    nullable: false,
    description: 'Automations that begin to run. For those that fail, see `events`.',
    args: { homeId: t.arg.string({ description: HOME }) },
    subscribe: (_, wanted, context) => open(context, wanted, { types: ['automation.fired'] }),
    resolve: (message) => message,
  }),
}));

interface Wanted {
  readonly homeId?: Maybe<string>;
  readonly accessoryIds?: Maybe<readonly string[]>;
}

/** @throws `home_not_found` · `accessory_not_found` the caller may not see it */
function open(
  { caller, deps }: GraphqlContext,
  wanted: Wanted,
  { types, after }: { readonly types?: readonly LiveEventType[] | undefined; readonly after?: string | undefined },
): LiveSource {
  const homeId = wanted.homeId ? deps.homes.get(caller, wanted.homeId).id : undefined;
  const accessoryIds = wanted.accessoryIds ? idsOf(caller, deps, wanted.accessoryIds) : undefined;
  const chosen = types && new Set(types);
  const reader = deps.live.open({
    caller,
    after,
    filter: (event) =>
      isWanted(event.type, chosen) &&
      (homeId === undefined || event.homeId === homeId) &&
      (accessoryIds === undefined || (event.accessoryId !== null && accessoryIds.has(event.accessoryId))),
  });
  return new LiveSource(reader);
}

function idsOf(caller: Caller, { control }: GraphqlDeps, ids: readonly string[]): ReadonlySet<string> {
  return new Set(ids.map((id) => control.getAccessory(caller, id).id));
}

function parseType(type: string): LiveEventType {
  if (Object.hasOwn(LIVE_EVENTS, type)) return type as LiveEventType;
  throw new HearthError(
    'invalid_value',
    `Invalid value for types: "${type.slice(0, 40)}" is no type of event. There are ${Object.keys(LIVE_EVENTS).join(', ')}.`,
    { field: 'types' },
  );
}
