/** The activity log: who did what in homes. As JSON a page at a time, as CSV complete. */
import { Hono } from 'hono';
import type { Activity } from '../../app/activity/activity.ts';
import { HearthError } from '../../kernel/errors.ts';
import type { ApiContext, ApiEnv } from '../env.ts';
import { presentActivity } from '../present/activity.ts';
import { queryId, queryText, queryWhole } from '../read-query.ts';
import { answer, answerJson } from '../respond.ts';
import { streamText } from './stream-text.ts';

export interface ActivityRoutesDeps {
  readonly activity: Activity;
}

export function activityRoutes({ activity }: ActivityRoutesDeps): Hono<ApiEnv> {
  return new Hono<ApiEnv>()
    .get('/', async (c) => {
      const caller = c.get('caller');
      if (isCsv(c)) {
        return answer(streamText(activity.export(caller, filterOf(c))), 200, {
          'Content-Type': 'text/csv; charset=utf-8; header=present',
          'Content-Disposition': 'attachment; filename="activity.csv"',
        });
      }
      const before = queryText(c, 'before');
      const limit = queryWhole(c, 'limit');
      const page = { ...(before !== undefined && { before }), ...(limit !== undefined && { limit }) };
      const entries = await activity.list(caller, { ...filterOf(c), ...page });
      return answerJson(entries.map(presentActivity));
    })
    .get('/actors', (c) => answerJson(activity.actors(c.get('caller'), queryId(c, 'home'))));
}

/** Left out fields stay absent. */
function filterOf(c: ApiContext) {
  const fields = {
    homeId: queryId(c, 'home'),
    roomId: queryId(c, 'room'),
    accessoryId: queryId(c, 'accessory'),
    actorKind: queryText(c, 'actor_kind'),
    actorId: queryText(c, 'actor'),
    kind: queryText(c, 'kind'),
  };
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

/** @throws `invalid_value` */
function isCsv(c: ApiContext): boolean {
  const format = queryText(c, 'format') ?? 'json';
  if (format === 'json' || format === 'csv') return format === 'csv';
  throw new HearthError('invalid_value', 'Invalid value for format: it takes json or csv.', { field: 'format' });
}
