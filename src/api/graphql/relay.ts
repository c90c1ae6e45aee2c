/** The relay's information about itself: identity, status, log, settings. */
import { HttpsChoice, HttpsEnd, HttpsRenewal, HttpsStatus } from '../../contract/https.ts';
import {
  LogLine,
  LogQuery,
  RelayCounts,
  RelayDatabase,
  RelayInterface,
  RelayLoad,
  RelayLoadQuery,
  RelayLoadSample,
  RelaySetting,
  RelayStart,
  RelayStatus,
  RelayWarning,
} from '../../contract/relay.ts';
import type { RelayInfo } from '../health.ts';
import { presentHttps, presentLine, presentLoad, presentStatus } from '../present/relay.ts';
import { given } from './arguments.ts';
import { builder, LIST } from './builder.ts';
import { argumentsOf, fieldsOf } from './contract-fields.ts';
import { decodeJson } from './scalars.ts';

const Counts = builder.objectRef<RelayCounts>('RelayCounts').implement({
  description: 'How much there is, of all homes together.',
  fields: (t) => fieldsOf(t, RelayCounts),
});

const Warning = builder.objectRef<RelayWarning>('RelayWarning').implement({
  description: 'A warning about the relay that needs attention.',
  fields: (t) => ({
    ...fieldsOf(t, RelayWarning),
    values: t.expose('values', { type: 'JSON', nullable: false, description: 'The values in the sentences.' }),
  }),
});

const Interface = builder.objectRef<RelayInterface>('RelayInterface').implement({
  description: 'A network interface used for discovery.',
  fields: (t) => fieldsOf(t, RelayInterface),
});

const Database = builder.objectRef<RelayDatabase>('RelayDatabase').implement({
  description: 'A database of the relay.',
  fields: (t) => fieldsOf(t, RelayDatabase),
});

const LoadSample = builder.objectRef<RelayLoadSample>('RelayLoadSample').implement({
  description: 'How busy the relay was at one time.',
  fields: (t) => fieldsOf(t, RelayLoadSample),
});

const Start = builder.objectRef<RelayStart>('RelayStart').implement({
  description: 'A start of the relay.',
  fields: (t) => fieldsOf(t, RelayStart),
});

const Load = builder.objectRef<RelayLoad>('RelayLoad').implement({
  description: 'How busy the relay was, over restarts.',
  fields: (t) => ({
    ...fieldsOf(t, RelayLoad),
    samples: t.expose('samples', {
      type: [LoadSample],
      nullable: false,
      description: 'Oldest first. Of more than a day one for each half-hour.',
    }),
    starts: t.expose('starts', {
      type: [Start],
      nullable: false,
      description: 'When it started in that time, oldest first; two hundred at most.',
    }),
  }),
});

/** The others are the relay's own, or for REST only. */
const StatusFields = RelayStatus.omit({
  name: true,
  version: true,
  instanceId: true,
  areInterfacesChosen: true,
  settingProblems: true,
  setAside: true,
});

const Status = builder.objectRef<RelayStatus>('RelayStatus').implement({
  description: 'The status of the relay. Sizes are in bytes, times ISO 8601 in UTC.',
  fields: (t) => ({
    ...fieldsOf(t, StatusFields),
    memoryBytes: t.float({
      nullable: false,
      description: 'Of the process.',
      resolve: (status) => status.memory.process,
    }),
    freeMemoryBytes: t.float({
      nullable: false,
      description: 'Free on the computer.',
      resolve: (status) => status.memory.free,
    }),
    totalMemoryBytes: t.float({
      nullable: false,
      description: 'Of the computer.',
      resolve: (status) => status.memory.total,
    }),
    freeDiskBytes: t.float({
      description: 'Free on the disk of the data directory; null if the system does not provide it.',
      resolve: (status) => status.disk?.freeBytes ?? null,
    }),
    totalDiskBytes: t.float({
      description: 'The size of that disk.',
      resolve: (status) => status.disk?.totalBytes ?? null,
    }),
    databases: t.expose('databases', { type: [Database], nullable: false, description: 'Its databases.' }),
    interfaces: t.expose('interfaces', {
      type: [Interface],
      nullable: false,
      description: 'The interfaces used for discovery.',
    }),
    lastDay: t.expose('lastDay', {
      type: [LoadSample],
      nullable: false,
      description:
        'The last 24 hours, every five minutes and more often right after a start, oldest first. Restarts do not end it.',
    }),
    counts: t.expose('counts', { type: Counts, nullable: false, description: 'How much there is.' }),
    warnings: t.expose('warnings', { type: [Warning], nullable: false, description: 'The most urgent first.' }),
  }),
});

const Relay = builder.objectRef<RelayInfo>('Relay').implement({
  description: 'The relay that answers.',
  fields: (t) => ({
    ...fieldsOf(t, RelayStatus.pick({ name: true, version: true, instanceId: true })),
    status: t.field({
      type: Status,
      description: 'How it does. For admins of any home; FORBIDDEN for others.',
      resolve: async (_, __, { caller, deps }) => presentStatus(await deps.relayStatus.read(caller)),
    }),
  }),
});

const Line = builder.objectRef<LogLine>('LogLine').implement({
  description: 'A line of the log.',
  fields: (t) => ({
    ...fieldsOf(t, LogLine),
    fields: t.expose('fields', {
      type: 'JSON',
      nullable: false,
      description: 'What it is about. Secrets are left out.',
    }),
  }),
});

const Setting = builder.objectRef<RelaySetting>('RelaySetting').implement({
  description: 'A setting of the daemon.',
  fields: (t) => ({
    ...fieldsOf(t, RelaySetting),
    value: t.expose('value', {
      type: 'JSON',
      description: 'The current value; null if not set, and always for a secret.',
    }),
  }),
});

const HttpsType = builder.objectRef<HttpsStatus>('RelayHttps').implement({
  description: 'Https on a port of its own, and its certificate.',
  fields: (t) => fieldsOf(t, HttpsStatus),
});

builder.queryFields((t) => ({
  health: t.string({ nullable: false, description: '`ok`: it answers.', resolve: () => 'ok' }),
  version: t.string({
    nullable: false,
    description: 'The relay’s version.',
    resolve: (_, __, { deps }) => deps.info.version,
  }),
  deployedAt: t.string({ description: 'Always null: a relay is installed, not deployed.', resolve: () => null }),
  relay: t.field({
    type: Relay,
    nullable: false,
    description: 'The relay that answers.',
    resolve: (_, __, { deps }) => deps.info,
  }),
  relayLoad: t.field({
    type: Load,
    description:
      'How busy the relay was in the last days, seven at most, and when it started. For admins of any home; FORBIDDEN for others.',
    args: argumentsOf(t.arg, RelayLoadQuery),
    resolve: (_, query, { caller, deps }) => presentLoad(deps.relayStatus.readLoad(caller, given(query))),
  }),
  relayLogs: t.field({
    type: [Line],
    nullable: LIST,
    description:
      'The newest lines of the log that are in memory, oldest first. For who owns every home, signed in. The event `relay.logged` announces more.',
    args: argumentsOf(t.arg, LogQuery),
    resolve: (_, query, { caller, deps }) => deps.relayLogs.read(caller, given(query)).map(presentLine),
  }),
  relayHttps: t.field({
    type: HttpsType,
    description: 'Whether https is on, and how its certificate does. For admins of any home; FORBIDDEN for others.',
    resolve: (_, __, { caller, deps }) => presentHttps(deps.https.status(caller)),
  }),
  relaySettings: t.field({
    type: [Setting],
    nullable: LIST,
    description: 'The settings of the daemon, and where they are set. For who owns every home, signed in.',
    resolve: (_, __, { caller, deps }) => deps.relaySettings.list(caller),
  }),
}));

builder.mutationFields((t) => ({
  turnOnRelayHttps: t.field({
    type: HttpsType,
    description:
      'Turns https on, or changes where its certificate comes from; nothing changes if it can’t be had. For who owns every home, signed in.',
    args: argumentsOf(t.arg, HttpsChoice),
    resolve: async (_, choice, { caller, deps }) => presentHttps(await deps.https.turnOn(caller, given(choice))),
  }),
  turnOffRelayHttps: t.field({
    type: HttpsType,
    description:
      'Turns https off. Its keys stay for the next time. INVALID_VALUE, with a sentence, if people with passkeys alone could not sign in any more. For who owns every home, signed in.',
    args: argumentsOf(t.arg, HttpsEnd),
    resolve: async (_, end, { caller, deps }) => presentHttps(await deps.https.turnOff(caller, given(end))),
  }),
  renewRelayHttps: t.field({
    type: HttpsType,
    description: 'Gets another certificate now. For who owns every home, signed in.',
    args: argumentsOf(t.arg, HttpsRenewal),
    resolve: async (_, renewal, { caller, deps }) => presentHttps(await deps.https.renew(caller, given(renewal))),
  }),
  updateRelaySettings: t.field({
    type: [Setting],
    nullable: LIST,
    description:
      'Changes settings that need no restart, all of them or none, at once and for good. For who owns every home, signed in. INVALID_VALUE, with a sentence, for a value that is not valid, or that is set where the daemon is started.',
    args: {
      settings: t.arg({
        type: 'JSON',
        required: true,
        description: 'Values by name, a list for what may be given several times; null takes away what was set here.',
      }),
    },
    resolve: (_, { settings }, { caller, deps }) => deps.relaySettings.update(caller, decodeJson(settings, 'settings')),
  }),
}));
