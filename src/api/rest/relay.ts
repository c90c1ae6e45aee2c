/** The relay itself: its status, the last lines of its log, its settings. */
import { Hono } from 'hono';
import type { Https } from '../../app/https/https.ts';
import type { RelayLogs } from '../../app/relay-status/relay-logs.ts';
import type { RelayOverview } from '../../app/relay-status/relay-status.ts';
import type { RelaySettings } from '../../app/settings/relay-settings.ts';
import { HttpsChoice, HttpsRenewal } from '../../contract/https.ts';
import { RelaySettingChanges } from '../../contract/relay.ts';
import type { ApiEnv } from '../env.ts';
import { presentHttps, presentLine, presentLoad, presentStatus } from '../present/relay.ts';
import { readBody } from '../read-body.ts';
import { queryFlag, queryText, queryWhole } from '../read-query.ts';
import { answerJson } from '../respond.ts';

interface RelayRoutesDeps {
  readonly relayStatus: RelayOverview;
  readonly relayLogs: RelayLogs;
  readonly relaySettings: RelaySettings;
  readonly https: Https;
}

export function relayRoutes({ relayStatus, relayLogs, relaySettings, https }: RelayRoutesDeps): Hono<ApiEnv> {
  return new Hono<ApiEnv>()
    .get('/', async (c) => answerJson(presentStatus(await relayStatus.read(c.get('caller')))))
    .get('/load', (c) =>
      answerJson(presentLoad(relayStatus.readLoad(c.get('caller'), { days: queryWhole(c, 'days') }))),
    )
    .get('/logs', (c) => {
      const wanted = { after: queryWhole(c, 'after'), level: queryText(c, 'level'), limit: queryWhole(c, 'limit') };
      return answerJson(relayLogs.read(c.get('caller'), wanted).map(presentLine));
    })
    .get('/settings', (c) => answerJson(relaySettings.list(c.get('caller'))))
    .patch('/settings', async (c) => {
      const changes = await readBody(c, RelaySettingChanges);
      return answerJson(relaySettings.update(c.get('caller'), changes));
    })
    .get('/https', (c) => answerJson(presentHttps(https.status(c.get('caller')))))
    .put('/https', async (c) => {
      const choice = await readBody(c, HttpsChoice);
      return answerJson(presentHttps(await https.turnOn(c.get('caller'), choice)));
    })
    .delete('/https', async (c) => {
      const lockOut = queryFlag(c, 'lockOut');
      return answerJson(presentHttps(await https.turnOff(c.get('caller'), { lockOut })));
    })
    .post('/https/renew', async (c) => {
      const renewal = await readBody(c, HttpsRenewal);
      return answerJson(presentHttps(await https.renew(c.get('caller'), renewal)));
    });
}
