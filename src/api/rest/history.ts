/**
 * Recorded history (API §4.1.2): series and their samples, recording settings, export as CSV, deletion. Times in
 * queries and bodies are ISO 8601 with a time zone, or milliseconds since the epoch.
 */
import { Hono } from 'hono';
import type { History } from '../../app/history/history.ts';
import { HomeHistoryChanges, SeriesChanges } from '../../contract/history.ts';
import { shorten } from '../../home/vocabulary/values.ts';
import { HearthError } from '../../kernel/errors.ts';
import type { ApiContext, ApiEnv } from '../env.ts';
import { parseTime } from '../parse-time.ts';
import { presentHomeHistory, presentReport, presentSeries } from '../present/history.ts';
import { readInput } from '../read-body.ts';
import { queryId, queryText, requiredHome } from '../read-query.ts';
import { answer, answerJson } from '../respond.ts';
import { streamText } from './stream-text.ts';

export interface HistoryRoutesDeps {
  readonly history: History;
}

export function historyRoutes({ history }: HistoryRoutesDeps): Hono<ApiEnv> {
  return new Hono<ApiEnv>()
    .get('/', async (c) => {
      const report = await history.report(c.get('caller'), {
        accessory: queryText(c, 'accessory'),
        home: queryText(c, 'home'),
        characteristic: queryText(c, 'characteristic'),
        hours: queryNumber(c, 'hours'),
        max_points: queryNumber(c, 'max_points'),
        signal: c.req.raw.signal,
      });
      return answerJson(presentReport(report));
    })
    .delete('/', async (c) => {
      requirePurgeFilters(c);
      const purged = await history.purge(c.get('caller'), { ...whichSeries(c), beforeTs: queryTime(c, 'before') });
      return answerJson({ success: true, ...purged });
    })
    .get('/export', async (c) => {
      const { chunks, next } = await history.export(c.get('caller'), {
        ...whichSeries(c),
        fromTs: queryTime(c, 'from'),
        toTs: queryTime(c, 'to'),
        cursor: queryText(c, 'cursor'),
      });
      return answer(streamText(chunks), 200, {
        'Content-Type': 'text/csv; charset=utf-8; header=present',
        'Content-Disposition': 'attachment; filename="history.csv"',
        ...(next !== null && { Link: nextLink(c, next), 'X-Next-Cursor': next }),
      });
    })
    .get('/series', async (c) => {
      const list = await history.series(c.get('caller'), requiredHome(c));
      return answerJson(list.map(presentSeries));
    })
    .patch('/series', async (c) => {
      return answerJson(presentSeries(history.setSeries(c.get('caller'), await readInput(c, SeriesChanges))));
    })
    .get('/homes/:homeId', (c) => {
      const caller = c.get('caller');
      const homeId = c.req.param('homeId');
      return answerJson(presentHomeHistory(history.home(caller, homeId), history.stats(caller, homeId)));
    })
    .patch('/homes/:homeId', async (c) => {
      const caller = c.get('caller');
      const homeId = c.req.param('homeId');
      const changes = await readInput(c, HomeHistoryChanges);
      // First, since it may fail: an error response must mean that nothing was changed.
      const stats = history.stats(caller, homeId);
      return answerJson(presentHomeHistory(history.updateHome(caller, homeId, changes), stats));
    });
}

function whichSeries(c: ApiContext) {
  return {
    homeId: requiredHome(c),
    accessoryId: queryId(c, 'accessory'),
    characteristicType: queryText(c, 'characteristic'),
  };
}

/** @throws `invalid_value` */
function queryNumber(c: ApiContext, name: string): number | undefined {
  const text = queryText(c, name)?.trim();
  if (text === undefined) return undefined;
  const value = text === '' ? Number.NaN : Number(text);
  if (!Number.isNaN(value)) return value;
  throw new HearthError('invalid_value', `Query parameter "${name}" must be a number.`, { field: name });
}

const PURGE_FILTERS: readonly string[] = ['home', 'accessory', 'characteristic', 'before'];

/**
 * An ignored filter would make a purge delete more than intended.
 * @throws `invalid_request` one is unknown, or empty, as a script's unset variable leaves it
 */
function requirePurgeFilters(c: ApiContext): void {
  for (const [name, value] of Object.entries(c.req.query())) {
    const isKnown = PURGE_FILTERS.includes(name);
    if (isKnown && value !== '') continue;
    const fault = isKnown ? 'is empty' : `is unknown; there are ${PURGE_FILTERS.join(', ')}`;
    throw new HearthError('invalid_request', `Query parameter "${shorten(name)}" ${fault}. Nothing was deleted.`, {
      field: name,
    });
  }
}

/** ISO 8601 with a time zone, or milliseconds. @throws `invalid_value` */
function queryTime(c: ApiContext, name: string): number | undefined {
  const text = queryText(c, name);
  if (text !== undefined && /^\d{1,16}$/.test(text)) return Number(text);
  return parseTime(text, name) ?? undefined;
}

/** The URL of the rest of an export (RFC 8288). */
function nextLink(c: ApiContext, cursor: string): string {
  const query = new URLSearchParams(c.req.query());
  query.set('cursor', cursor);
  return `<${c.req.path}?${query}>; rel="next"`;
}
