/** The relay's information about itself: identity, status, log, settings. */
import type { RelayStatusReport } from '../../app/relay-status/relay-status.ts';
import type { RelayWarning as Warning } from '../../app/relay-status/relay-warnings.ts';
import type { RelaySetting as Setting } from '../../app/settings/relay-settings.ts';
import type { LogLine as Line } from '../../kernel/log-ring.ts';
import type { RelayInfo } from '../health.ts';
import { presentTime } from '../present/time.ts';
import { builder, LIST } from './builder.ts';
import { decodeJson } from './scalars.ts';

type Counts = RelayStatusReport['counts'];

const RelayCounts = builder.objectRef<Counts>('RelayCounts').implement({
  description: 'How much there is, of all homes together.',
  fields: (t) => ({
    homes: t.exposeInt('homes', { nullable: false, description: 'Homes.' }),
    accessories: t.exposeInt('accessories', { nullable: false, description: 'Accessories, virtual ones among them.' }),
    unreachableAccessories: t.exposeInt('unreachableAccessories', {
      nullable: false,
      description: 'Those that do not answer now.',
    }),
    pairedDevices: t.exposeInt('pairedDevices', { nullable: false, description: 'Accessory servers paired here.' }),
    connectedDevices: t.exposeInt('connectedDevices', { nullable: false, description: 'Those that are connected.' }),
    offlineDevices: t.exposeInt('offlineDevices', { nullable: false, description: 'Those that do not answer.' }),
    pairingsLost: t.exposeInt('pairingsLost', {
      nullable: false,
      description: 'Those that no longer know this relay.',
    }),
    seenByMulticast: t.exposeInt('seenByMulticast', {
      nullable: false,
      description: 'Accessory servers that announce themselves, paired here or not.',
    }),
    automations: t.exposeInt('automations', { nullable: false, description: 'Automations of both kinds.' }),
    automationRunsUnderWay: t.exposeInt('automationRunsUnderWay', {
      nullable: false,
      description: 'Runs of them that are not over.',
    }),
    webhookDeliveriesWaiting: t.exposeInt('webhookDeliveriesWaiting', {
      nullable: false,
      description: 'Deliveries that no webhook has taken yet.',
    }),
  }),
});

const RelayWarning = builder.objectRef<Warning>('RelayWarning').implement({
  description: 'A warning about the relay that needs attention.',
  fields: (t) => ({
    code: t.exposeString('code', { nullable: false, description: 'For programs and translations.' }),
    severity: t.exposeString('severity', {
      nullable: false,
      description: '`error`: something does not work. `warning`: it will not soon. `info`: worth knowing.',
    }),
    message: t.exposeString('message', { nullable: false, description: 'What is wrong.' }),
    remedy: t.exposeString('remedy', { nullable: false, description: 'What to do.' }),
    values: t.field({
      type: 'JSON',
      nullable: false,
      description: 'What the sentences name.',
      resolve: ({ values }) => values,
    }),
  }),
});

const RelayInterface = builder.objectRef<RelayStatusReport['interfaces'][number]>('RelayInterface').implement({
  description: 'A network on which accessories are looked for.',
  fields: (t) => ({
    name: t.exposeString('name', { nullable: false, description: '`eth0`, `wlan0` …' }),
    addresses: t.exposeStringList('addresses', {
      nullable: false,
      description: 'The addresses of the computer there.',
    }),
  }),
});

const RelayDatabase = builder.objectRef<RelayStatusReport['databases'][number]>('RelayDatabase').implement({
  description: 'A database of the relay.',
  fields: (t) => ({
    name: t.exposeString('name', { nullable: false, description: '`relay` or `history`.' }),
    bytes: t.exposeFloat('bytes', { description: 'What it takes on the disk; null where it can’t be opened.' }),
  }),
});

const RelayStatus = builder.objectRef<RelayStatusReport>('RelayStatus').implement({
  description: 'How the relay does. Sizes are in bytes, times ISO 8601 in UTC.',
  fields: (t) => ({
    node: t.exposeString('node', { nullable: false, description: 'The version of Node.' }),
    platform: t.exposeString('platform', { nullable: false, description: '`linux arm64`.' }),
    pid: t.exposeInt('pid', { nullable: false, description: 'Its process.' }),
    now: t.string({ nullable: false, description: 'By its clock.', resolve: ({ now }) => presentTime(now) }),
    timeZone: t.exposeString('timeZone', { nullable: false, description: 'Of the computer; homes have their own.' }),
    startedAt: t.string({
      nullable: false,
      description: 'When it was started.',
      resolve: ({ startedAt }) => presentTime(startedAt),
    }),
    uptimeMs: t.exposeFloat('uptimeMs', { nullable: false, description: 'Since then, in milliseconds.' }),
    memoryBytes: t.float({
      nullable: false,
      description: 'What the process takes.',
      resolve: ({ memory }) => memory.process,
    }),
    freeMemoryBytes: t.float({
      nullable: false,
      description: 'What the computer has left.',
      resolve: ({ memory }) => memory.free,
    }),
    totalMemoryBytes: t.float({
      nullable: false,
      description: 'What the computer has.',
      resolve: ({ memory }) => memory.total,
    }),
    load: t.exposeFloatList('load', {
      nullable: false,
      description: 'Processes that want to run, over 1, 5 and 15 minutes.',
    }),
    processors: t.exposeInt('processors', { nullable: false, description: 'How many the computer has.' }),
    dataDirectory: t.exposeString('dataDirectory', { nullable: false, description: 'Where everything is kept.' }),
    freeDiskBytes: t.float({
      description: 'What is free there; null where the system does not say.',
      resolve: ({ disk }) => disk?.freeBytes ?? null,
    }),
    totalDiskBytes: t.float({
      description: 'How large that disk is.',
      resolve: ({ disk }) => disk?.totalBytes ?? null,
    }),
    databases: t.expose('databases', { type: [RelayDatabase], nullable: false, description: 'What is kept.' }),
    addresses: t.exposeStringList('addresses', {
      nullable: false,
      description: 'Where it answers, the best for other devices first.',
    }),
    port: t.exposeInt('port', { nullable: false, description: 'Its port.' }),
    wsPort: t.exposeInt('wsPort', { nullable: false, description: 'Its further port for WebSockets.' }),
    hasTls: t.exposeBoolean('hasTls', { nullable: false, description: 'Whether it speaks https itself.' }),
    publicUrl: t.exposeString('publicUrl', { description: 'Where a proxy publishes it.' }),
    advertisedAs: t.exposeString('advertisedAs', {
      description: 'Its name on the network; null while it is not advertised.',
    }),
    interfaces: t.expose('interfaces', {
      type: [RelayInterface],
      nullable: false,
      description: 'Those on which accessories are looked for.',
    }),
    counts: t.expose('counts', { type: RelayCounts, nullable: false, description: 'How much there is.' }),
    warnings: t.expose('warnings', {
      type: [RelayWarning],
      nullable: false,
      description: 'The most urgent first; none where all is well.',
    }),
  }),
});

const Relay = builder.objectRef<RelayInfo>('Relay').implement({
  description: 'The relay that answers.',
  fields: (t) => ({
    name: t.exposeString('name', { nullable: false, description: 'The host that it runs on.' }),
    version: t.exposeString('version', { nullable: false, description: 'Its version.' }),
    instanceId: t.exposeString('instanceId', {
      nullable: false,
      description: 'Eight hex digits that stay the same for this installation.',
    }),
    status: t.field({
      type: RelayStatus,
      description: 'How it does. For admins of any home; FORBIDDEN for others.',
      resolve: (_, __, { caller, deps }) => deps.relayStatus.read(caller),
    }),
  }),
});

const LogLine = builder.objectRef<Line>('LogLine').implement({
  description: 'A line of the log.',
  fields: (t) => ({
    seq: t.exposeInt('seq', { nullable: false, description: 'One more than that of the line before; for `after`.' }),
    at: t.string({ nullable: false, description: 'ISO 8601 in UTC.', resolve: ({ at }) => presentTime(at) }),
    level: t.exposeString('level', { nullable: false, description: '`debug`, `info`, `warn` or `error`.' }),
    message: t.exposeString('message', { nullable: false, description: 'One sentence.' }),
    fields: t.field({
      type: 'JSON',
      nullable: false,
      description: 'What it is about. Secrets are left out.',
      resolve: ({ fields }) => fields,
    }),
  }),
});

const RelaySetting = builder.objectRef<Setting>('RelaySetting').implement({
  description: 'A setting of the daemon.',
  fields: (t) => ({
    name: t.exposeString('name', { nullable: false, description: 'As in the configuration file: `log_level`.' }),
    kind: t.exposeString('kind', { nullable: false, description: '`text`, `number`, `switch` or `choice`.' }),
    isList: t.exposeBoolean('isList', { nullable: false, description: 'Whether it may be given several times.' }),
    isSecret: t.exposeBoolean('isSecret', { nullable: false, description: 'Whether its value is never shown.' }),
    isLive: t.exposeBoolean('isLive', {
      nullable: false,
      description: 'Whether `updateRelaySettings` changes it; every other one holds until the next start.',
    }),
    choices: t.exposeStringList('choices', { description: 'Of a choice.' }),
    meaning: t.exposeString('meaning', { nullable: false, description: 'One line for people.' }),
    fallback: t.exposeString('fallback', { nullable: false, description: 'The default, in words.' }),
    value: t.field({
      type: 'JSON',
      description: 'What holds now; null where nothing is set, and always for a secret.',
      resolve: ({ value }) => value,
    }),
    isSet: t.exposeBoolean('isSet', { nullable: false, description: 'Whether anything is set.' }),
    source: t.exposeString('source', {
      nullable: false,
      description: 'Who says it: `flag`, `environment`, `file`, `stored` (it was set here) or `default`.',
    }),
    setBy: t.exposeString('setBy', {
      description: 'The flag, variable or file that says it: then it can’t be changed here.',
    }),
    howToSet: t.exposeString('howToSet', { nullable: false, description: 'Where else it may be set.' }),
  }),
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
  relayLogs: t.field({
    type: [LogLine],
    nullable: LIST,
    description:
      'The newest lines of the log that are in memory, oldest first. For who owns every home, signed in. The event `relay.logged` says that there are more.',
    args: {
      after: t.arg.int({ description: 'Only lines behind this `seq`.' }),
      level: t.arg.string({ description: 'This level and those more urgent.' }),
      limit: t.arg.int({ description: '1 to 1000; 200 if left out.' }),
    },
    resolve: (_, wanted, { caller, deps }) => deps.relayLogs.read(caller, wanted),
  }),
  relaySettings: t.field({
    type: [RelaySetting],
    nullable: LIST,
    description: 'The settings of the daemon, and who said them. For who owns every home, signed in.',
    resolve: (_, __, { caller, deps }) => deps.relaySettings.list(caller),
  }),
}));

builder.mutationFields((t) => ({
  updateRelaySettings: t.field({
    type: [RelaySetting],
    nullable: LIST,
    description:
      'Changes settings that need no restart, all of them or none, at once and for good. For who owns every home, signed in. INVALID_VALUE, with a sentence, for what it can’t be or what is said where the daemon is started.',
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
