/** The relay itself: its status, its log, its settings. Sizes are in bytes. */
import { z } from 'zod';
import { INSTALL_KINDS } from '../kernel/install-kind.ts';
import { LINE_LEVELS } from '../kernel/log-ring.ts';
import { checked, flag, integer, limit, number, offset, text, time, whole, word } from './fields.ts';
import type { Input, Output } from './parse.ts';

const list = (description: string, examples: readonly string[] = []) =>
  z.array(z.string()).meta({ description, examples: [examples] });

export const RelayCounts = z.object({
  homes: integer('Homes.', 1),
  accessories: integer('Accessories, virtual ones among them.', 42),
  unreachableAccessories: integer('Those that do not answer now.', 1),
  pairedDevices: integer('Accessory servers paired here.', 18),
  connectedDevices: integer('Those that are connected.', 17),
  offlineDevices: integer('Those that do not answer.'),
  pairingsLost: integer('Those that no longer know this relay.'),
  seenByMulticast: integer('Accessory servers that announce themselves, paired here or not.', 19),
  automations: integer('Automations of both kinds.', 12),
  automationRunsUnderWay: integer('Runs of them that have not ended.', 1),
  webhookDeliveriesWaiting: integer('Deliveries that no webhook has accepted yet.'),
});
export type RelayCounts = Output<typeof RelayCounts>;

export const RelayInterface = z.object({
  name: text('`eth0`, `wlan0` …', 'eth0'),
  addresses: list('The addresses of the computer there.', ['192.168.1.10']),
});
export type RelayInterface = Output<typeof RelayInterface>;

export const RelayDatabase = z.object({
  name: word(['relay', 'history']),
  bytes: number('Its size on the disk; null if it can’t be opened.', 1_400_000).nullable(),
});
export type RelayDatabase = Output<typeof RelayDatabase>;

export const RelayLoadSample = z.object({
  at: time('When it was measured.'),
  load: number('The load average over the minute before.', 0.1),
  processorPercent: number('What the process used of one processor since the sample before.', 1.4),
  memoryBytes: number('The memory of the process.', 142_000_000),
  databaseBytes: number('Its databases on the disk, together.', 9_400_000),
  connectedDevices: integer('Paired accessory servers that were connected.', 17),
});
export type RelayLoadSample = Output<typeof RelayLoadSample>;

export const RelayStart = z.object({
  at: time('When it started.'),
  version: text('The version that started.', '1.1.0'),
  previousVersion: text('The version that ran before, if it was another one; else null.', '1.0.0').nullable(),
});
export type RelayStart = Output<typeof RelayStart>;

const MAX_LOAD_DAYS = 7;

export const RelayLoadQuery = z.strictObject({
  days: whole({ from: 1, to: MAX_LOAD_DAYS }, 'How many days back.').default(1),
});
export type RelayLoadQuery = Input<typeof RelayLoadQuery>;

export const RelayLoad = z
  .object({
    from: time('The beginning of what was asked for.', '2030-01-30T12:00:00.000Z'),
    to: time('Now, by its clock.'),
    everyMs: integer('How far apart the samples are, while it runs; less in its first minutes.', 300_000),
    samples: z
      .array(RelayLoadSample)
      .describe(
        'Oldest first. Of more than a day one for each half-hour: means of load and processor, the most memory and database, the fewest devices.',
      ),
    starts: z.array(RelayStart).describe('When it started in that time, oldest first; two hundred at most.'),
  })
  .meta({ id: 'RelayLoad' });
export type RelayLoad = Output<typeof RelayLoad>;

export const RelayWarning = z
  .object({
    code: word(
      [
        'clock_not_set',
        'disk_nearly_full',
        'history_unavailable',
        'database_set_aside',
        'no_network',
        'several_interfaces',
        'multicast_unheard',
        'pairings_lost',
        'devices_offline',
        'settings_left_out',
        'new_version',
      ],
      'For programs and translations.',
    ),
    severity: word(
      ['error', 'warning', 'info'],
      '`error`: something does not work. `warning`: it soon will not. `info`: good to know.',
    ),
    message: text('What is wrong.', 'The clock of this computer is not set.'),
    remedy: text('What to do.', 'Connect the computer to the internet, or set its clock.'),
    values: z.record(z.string(), z.union([z.string(), z.number()])).describe('The values in the sentences.'),
  })
  .meta({ id: 'RelayWarning' });
export type RelayWarning = Output<typeof RelayWarning>;

export const RelayStatus = z
  .object({
    name: text('The host that it runs on.', 'raspberrypi'),
    version: text('Its version.', '1.0.0'),
    instanceId: text('Eight hex digits that identify this installation.', '3f9a1c7e'),
    startedAt: time('When it was started, by the clock at that time.'),
    uptimeMs: number('Since then, in milliseconds.', 86_400_000),
    dataDirectory: text('Where everything is kept.', '/var/lib/hearthd'),
    addresses: list('Its addresses, the best for other devices first.', ['http://192.168.1.10:5656']),
    port: integer('Its port.', 5656),
    wsPort: integer('Its further port for WebSockets.', 5657),
    hasTls: flag('Whether it speaks https itself.'),
    publicUrl: text('Where a proxy publishes it.').nullable(),
    advertisedAs: text(
      'Its name on the network; null while it is not advertised.',
      'raspberrypi-hearthd.local',
    ).nullable(),
    interfaces: z.array(RelayInterface).describe('The interfaces used for discovery.'),
    areInterfacesChosen: flag('Whether the setting `interface` chooses them; otherwise all are used.'),
    settingProblems: list('Errors of settings that were changed here, one sentence each.'),
    node: text('The version of Node.', '20.19.0'),
    platform: text('`linux arm64`', 'linux arm64'),
    install: word(INSTALL_KINDS, 'How it came to this computer, and so how it is upgraded.'),
    previousVersion: text('The version that ran here before this one; null if there was none.').nullable(),
    newVersion: text(
      'A newer version that the update check found; null if it found none, or the setting `update_check` is off.',
    ).nullable(),
    updatesAskedAt: time('When the update check asked last.').nullable(),
    pid: integer('Its process.', 612),
    now: time('By its clock.', '2030-02-01T12:00:00.000Z'),
    timeZone: text('Of the computer; homes have their own.', 'Europe/Berlin'),
    memory: z.object({
      process: number('Of the process.', 142_000_000),
      free: number('Free on the computer.', 2_100_000_000),
      total: number('Of the computer.', 4_000_000_000),
    }),
    load: z.array(z.number()).meta({
      description: 'Load average over 1, 5 and 15 minutes; zeros if the system does not provide it.',
      examples: [[0.1, 0.08, 0.05]],
    }),
    processors: integer('How many the computer has.', 4),
    disk: z
      .object({
        freeBytes: number('Free on the disk of the data directory.', 21_000_000_000),
        totalBytes: number('Its size.', 31_000_000_000),
      })
      .nullable(),
    databases: z.array(RelayDatabase).describe('Its databases.'),
    setAside: list('Damaged files that were set aside in the data directory.'),
    counts: RelayCounts,
    lastDay: z
      .array(RelayLoadSample)
      .describe(
        'The last 24 hours, every five minutes and more often right after a start, oldest first. Restarts do not end it.',
      ),
    warnings: z.array(RelayWarning).meta({ description: 'The most urgent first.', examples: [[]] }),
  })
  .meta({ id: 'RelayStatus' });
export type RelayStatus = Output<typeof RelayStatus>;

const MAX_LINES = 1_000;
const LEVELS = `give one of ${LINE_LEVELS.join(', ')}`;

export const LogQuery = z.strictObject({
  after: offset().describe('Only lines after this `seq`.'),
  level: checked(
    z.string().meta({ description: 'This level and more urgent ones: debug, info, warn or error.', default: 'debug' }),
    (level) => (LINE_LEVELS.some((one) => one === level.toLowerCase()) ? null : LEVELS),
  )
    .transform((level) => LINE_LEVELS.find((one) => one === level.toLowerCase()) ?? 'debug')
    .optional(),
  limit: limit(MAX_LINES).default(200),
});
export type LogQuery = Input<typeof LogQuery>;

export const LogLine = z
  .object({
    seq: integer('The previous line’s number plus one; for `after`.', 118),
    at: time('When it was logged.'),
    level: word(['info', 'debug', 'warn', 'error']),
    message: text('One sentence.', 'Connected'),
    fields: z
      .record(z.string(), z.unknown())
      .meta({ description: 'What it is about. Secrets are left out.', examples: [{ device: '1A:2B:3C:4D:5E:6F' }] }),
  })
  .meta({ id: 'LogLine' });
export type LogLine = Output<typeof LogLine>;

/** Values by name. The operation checks the settings and their values. */
export const RelaySettingChanges = z.record(z.string(), z.unknown());

export const RelaySetting = z
  .object({
    name: text('As in the configuration file.', 'log_level'),
    kind: word(['choice', 'text', 'number', 'switch']),
    isList: flag('Whether it may be given several times.'),
    isSecret: flag('Whether its value is never shown.'),
    isLive: flag('Whether it can be changed while the daemon runs; others hold until the next start.', true),
    choices: z
      .array(z.string())
      .meta({ description: 'Of a choice.', examples: [['debug', 'info', 'warn', 'error', 'silent']] })
      .nullable(),
    meaning: text('One line for people.', 'debug, info, warn, error, silent'),
    fallback: text('The default, in words.', 'info'),
    value: z
      .union([z.string(), z.number(), z.boolean(), z.array(z.string()).readonly()])
      .nullable()
      .meta({ description: 'The current value; null if not set, and always for a secret.', examples: ['info'] }),
    isSet: flag('Whether it is set.', true),
    source: word(['default', 'stored', 'file', 'environment', 'flag'], '`stored`: it was set here.'),
    setBy: text('The flag, variable or file that sets it: then it can’t be changed here.').nullable(),
    howToSet: text(
      'Where else it can be set.',
      '--log-level, HEARTHD_LOG_LEVEL or log_level in the configuration file',
    ),
  })
  .meta({ id: 'RelaySetting' });
export type RelaySetting = Output<typeof RelaySetting>;
