import { z } from 'zod';
import {
  HistoryReport,
  HistorySeries,
  HomeHistory,
  HomeHistoryChanges,
  PurgedHistory,
  ReportQuery,
  SeriesChanges,
} from '../../../contract/history.ts';
import { id, text } from '../json-schema.ts';
import type { Parameter, Resource } from '../operation.ts';
import { HOME } from '../parameters.ts';
import { ACCESSORY_ID } from './accessories.ts';
import { HOME_ID } from './homes.ts';

const NARROW: readonly Parameter[] = [
  HOME,
  { name: 'accessory', description: 'Only of the accessory or service group with this id.', schema: id() },
  { name: 'characteristic', description: 'Only of this characteristic, in any spelling.' },
];

const MOMENT = 'ISO 8601 with a time zone, or milliseconds since the epoch.';

export const history: Resource = {
  tag: 'History',
  description: 'What was recorded. A home records nothing until its history is switched on.',
  operations: [
    {
      method: 'get',
      path: '/rest/history',
      id: 'getHistory',
      summary: 'The recorded history of one accessory',
      description:
        'Needs the home’s history to be on. Without `characteristic` up to six are shown, the most useful first.',
      audience: 'view',
      query: ReportQuery,
      answer: {
        description: 'Numbers as pairs of time and value with a summary, everything else as transitions.',
        schema: HistoryReport,
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
        schema: PurgedHistory,
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
      answer: { description: 'The series.', schema: z.array(HistorySeries) },
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
        examples: {
          'Every five minutes': {
            homeId: HOME_ID,
            accessoryId: ACCESSORY_ID,
            characteristicType: 'current_temperature',
            minIntervalS: 300,
          },
        },
      },
      answer: { description: 'The series as it is now.', schema: HistorySeries },
      errors: [404],
    },
    {
      method: 'get',
      path: '/rest/history/homes/:homeId',
      id: 'getHomeHistory',
      summary: 'Whether a home records, and how much is kept of it',
      audience: 'view',
      pathParameters: { homeId: 'The id of the home.' },
      answer: { description: 'Its settings and what they led to.', schema: HomeHistory },
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
        schema: HomeHistoryChanges,
        examples: { 'Switch it on': { enabled: true } },
      },
      answer: { description: 'The settings as they are now.', schema: HomeHistory },
    },
  ],
};
