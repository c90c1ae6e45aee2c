import type { JsonSchema } from '../../../contract/json-schema.ts';
import { HomeChanges, SeriesChanges } from '../../rest/history.ts';
import { arrayOf, flag, id, integer, number, object, oneOf, orNull, ref, success, text, time } from '../json-schema.ts';
import type { Parameter, Resource } from '../operation.ts';
import { ACCESSORY_ID } from './accessories.ts';
import { HOME_ID } from './homes.ts';

const REPORT = {
  home: 'my_home_1a2b',
  accessory: { key: 'thermostat_9f3c', name: 'Thermostat', id: ACCESSORY_ID },
  from: '2030-01-30T12:00:00.000Z',
  to: '2030-01-31T12:00:00.000Z',
  series: [
    {
      characteristic: 'current_temperature',
      kind: 'numeric',
      unit: 'celsius',
      resolution: 'raw',
      values: [['2030-01-31T11:00:00.000Z', 20.5]],
      summary: { min: 19, max: 21.5, avg: 20.13, latest: 20.5 },
    },
    {
      characteristic: 'heating_cooling_current',
      kind: 'enum',
      unit: null,
      resolution: 'raw',
      transitions: [['2030-01-31T10:30:00.000Z', 'heat']],
      openingValue: 'off',
    },
  ],
  _meta: { message: '2 of 2 characteristics have recorded history in the last 24h' },
};

const SERIES = {
  accessoryId: ACCESSORY_ID,
  accessoryName: 'Thermostat',
  characteristicType: 'current_temperature',
  kind: 'numeric',
  unit: 'celsius',
  enabled: true,
  minIntervalS: 60,
  deadband: 0.1,
  retentionDays: 90,
  firstAt: '2030-01-01T09:30:00.000Z',
  lastAt: '2030-01-31T11:00:00.000Z',
  sampleCount: 5120,
};

const HOME = {
  homeId: HOME_ID,
  enabled: true,
  shared: false,
  rawRetentionDays: 90,
  stats: {
    seriesCount: 14,
    sampleRows: 81234,
    rollupRows: 9120,
    estBytes: 3100000,
    oldestAt: '2030-01-01T09:30:00.000Z',
  },
};

const RESOLUTION = oneOf(
  ['raw', 'hourly', 'daily'],
  'What the points are made of; chosen by the length of the time asked for.',
);

/** Pairs of a time and a value. */
function pairs(value: JsonSchema, description: string): JsonSchema {
  return {
    type: 'array',
    description,
    items: { type: 'array', prefixItems: [time(), value], minItems: 2, maxItems: 2 },
  };
}

const NARROW: readonly Parameter[] = [
  { name: 'home', description: 'The id of the home.', required: true, schema: id(), example: HOME_ID },
  { name: 'accessory', description: 'Only of the accessory or service group with this id.', schema: id() },
  { name: 'characteristic', description: 'Only of this characteristic, in any spelling.' },
];

const MOMENT = 'ISO 8601 with a time zone, or milliseconds since the epoch.';

export const history: Resource = {
  tag: 'History',
  description: 'What was recorded. A home records nothing until its history is switched on.',
  schemas: {
    HistoryReport: object({
      home: text('The key of the home.'),
      accessory: object({ key: text('Its slug key.'), name: text(), id: id() }),
      from: time(),
      to: time(),
      series: arrayOf({ anyOf: [ref('NumericHistory'), ref('StateHistory')] }),
      _meta: object({ message: text('What was found, in one sentence.') }),
    }),
    NumericHistory: object({
      characteristic: text('In snake_case.'),
      kind: { const: 'numeric' },
      unit: orNull(text()),
      resolution: RESOLUTION,
      values: pairs(number(), 'Time and value; where there were too many, the mean over a stretch of time.'),
      summary: orNull(object({ min: number(), max: number(), avg: number('Weighted by time.'), latest: number() })),
    }),
    StateHistory: object({
      characteristic: text('In snake_case.'),
      kind: oneOf(['bool', 'enum', 'string']),
      unit: { type: 'null' },
      resolution: RESOLUTION,
      transitions: pairs(
        orNull(text()),
        'Time and new state in words; where there were too many, the state that held longest in a stretch of time.',
      ),
      openingValue: orNull(text('The state at the beginning; `null` where none is known.')),
    }),
    HistorySeries: object({
      accessoryId: id('Or the id of a service group.'),
      accessoryName: text(),
      characteristicType: text('In snake_case.'),
      kind: oneOf(['numeric', 'bool', 'enum', 'string']),
      unit: orNull(text()),
      enabled: flag('It is recorded while the home’s history is on.'),
      minIntervalS: number('Seconds between two samples at least.'),
      deadband: number('Smaller changes are not recorded.'),
      retentionDays: number('Samples are kept so long; roll-ups for ever.'),
      firstAt: orNull(time()),
      lastAt: orNull(time()),
      sampleCount: integer(),
    }),
    HomeHistory: object({
      homeId: id(),
      enabled: flag('The home records.'),
      shared: flag('Shares of the home show its history too.'),
      rawRetentionDays: orNull(number('Samples are kept so long, roll-ups for ever; `null`: the usual 90 days.')),
      stats: object({
        seriesCount: integer(),
        sampleRows: integer(),
        rollupRows: integer(),
        estBytes: integer('Estimated.'),
        oldestAt: orNull(time()),
      }),
    }),
  },
  operations: [
    {
      method: 'get',
      path: '/rest/history',
      id: 'getHistory',
      summary: 'The recorded history of one accessory',
      description:
        'Needs the home’s history to be on. Without `characteristic` up to six are shown, the most telling first.',
      audience: 'view',
      query: [
        {
          name: 'accessory',
          description: 'Its id, or a part of its name or slug key.',
          required: true,
          example: 'thermostat',
        },
        { name: 'home', description: 'A part of the home’s name; narrows the search.' },
        { name: 'characteristic', description: 'One characteristic, in any spelling.' },
        {
          name: 'hours',
          description: 'How far back. Beyond its bounds the nearest bound is taken.',
          schema: { type: 'number', minimum: 0.25, maximum: 8784, default: 24 },
        },
        {
          name: 'max_points',
          description: 'Points a series at most. Beyond its bounds the nearest bound is taken.',
          schema: { type: 'integer', minimum: 10, maximum: 1000, default: 200 },
        },
      ],
      answer: {
        description: 'Numbers as pairs of time and value with a summary, everything else as transitions.',
        schema: ref('HistoryReport'),
        example: REPORT,
      },
      errors: [400, 404, 422],
    },
    {
      method: 'delete',
      path: '/rest/history',
      id: 'purgeHistory',
      summary: 'Delete what was recorded, for ever',
      audience: 'admin',
      query: [...NARROW, { name: 'before', description: `Only what is older. ${MOMENT}` }],
      answer: {
        description: 'It is gone.',
        schema: success({ deleted: integer('Samples.') }),
        example: { success: true, deleted: 5120 },
      },
      errors: [400, 404, 422],
    },
    {
      method: 'get',
      path: '/rest/history/export',
      id: 'exportHistory',
      summary: 'Every sample as CSV',
      description:
        '200,000 rows at most. Where there are more, the header `Link` has the address of the rest (rel="next"), and `X-Next-Cursor` its cursor.',
      audience: 'view',
      query: [
        ...NARROW,
        { name: 'from', description: `From then on. ${MOMENT}` },
        { name: 'to', description: `Before that. ${MOMENT}` },
        { name: 'cursor', description: 'Where an earlier export ended.' },
      ],
      answer: {
        description: 'RFC 4180, streamed, with a header line.',
        type: 'text/csv',
        schema: text(),
        example: 'timestamp,accessory_id,characteristic,value,value_text,source\r\n',
        headers: { Link: 'RFC 8288; only where there is more.', 'X-Next-Cursor': 'Only where there is more.' },
      },
      errors: [400, 404, 422],
    },
    {
      method: 'get',
      path: '/rest/history/series',
      id: 'listHistorySeries',
      summary: 'What could be recorded in a home, and what has been',
      audience: 'view',
      query: NARROW.slice(0, 1),
      answer: { description: 'The series.', schema: arrayOf(ref('HistorySeries')), example: [SERIES] },
      errors: [400, 404],
    },
    {
      method: 'patch',
      path: '/rest/history/series',
      id: 'updateHistorySeries',
      summary: 'Set how one series is recorded',
      audience: 'admin',
      body: {
        schema: SeriesChanges,
        fields: {
          homeId: 'The home.',
          accessoryId: 'The accessory or service group.',
          characteristicType: 'In any spelling.',
          enabled: orNull(flag('Whether it is recorded; `null`: as it is for all of its kind.')),
          minIntervalS: orNull(number('Seconds between two samples at least; `null`: as for all of its kind.')),
          deadband: orNull(number('Smaller changes are not recorded; `null`: as for all of its kind.')),
          retentionDays: orNull(number('`null`: as for the home.')),
        },
        examples: {
          'Every five minutes': {
            homeId: HOME_ID,
            accessoryId: ACCESSORY_ID,
            characteristicType: 'current_temperature',
            minIntervalS: 300,
          },
        },
      },
      answer: { description: 'The series as it is now.', schema: ref('HistorySeries'), example: SERIES },
      errors: [404],
    },
    {
      method: 'get',
      path: '/rest/history/homes/:homeId',
      id: 'getHomeHistory',
      summary: 'Whether a home records, and how much is kept of it',
      audience: 'view',
      pathParameters: { homeId: 'The id of the home.' },
      answer: { description: 'Its settings and what they led to.', schema: ref('HomeHistory'), example: HOME },
    },
    {
      method: 'patch',
      path: '/rest/history/homes/:homeId',
      id: 'updateHomeHistory',
      summary: 'Switch a home’s history on or off',
      description: 'What was recorded before stays when it is switched off.',
      audience: 'admin',
      pathParameters: { homeId: 'The id of the home.' },
      body: {
        schema: HomeChanges,
        fields: {
          enabled: flag('Whether it records.'),
          shared: flag('Whether shares of the home show it.'),
          rawRetentionDays: orNull({
            type: 'integer',
            minimum: 1,
            maximum: 36_500,
            description: 'Days that samples are kept; `null`: the usual. Roll-ups stay for ever.',
          }),
        },
        examples: { 'Switch it on': { enabled: true } },
      },
      answer: { description: 'The settings as they are now.', schema: ref('HomeHistory'), example: HOME },
    },
  ],
};
