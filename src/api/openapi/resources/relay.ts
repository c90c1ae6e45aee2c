import { z } from 'zod';
import { HttpsChoice, HttpsRenewal, HttpsStatus } from '../../../contract/https.ts';
import {
  LogLine,
  LogQuery,
  RelayLoad,
  RelayLoadQuery,
  RelaySetting,
  RelaySettingChanges,
  RelayStatus,
} from '../../../contract/relay.ts';
import type { Resource } from '../operation.ts';

export const relay: Resource = {
  tag: 'Relay',
  description: 'The relay itself: how it does, what it logged, how it is set.',
  operations: [
    {
      method: 'get',
      path: '/rest/relay',
      id: 'relayStatus',
      summary: 'How the relay does',
      description: 'It counts all homes alike and names none of them. `hearthd status` prints the same.',
      audience: 'admin of any home',
      answer: { description: 'The status.', schema: RelayStatus },
    },
    {
      method: 'get',
      path: '/rest/relay/load',
      id: 'relayLoad',
      summary: 'How busy the relay was, and when it started',
      description:
        'Of the last seven days, over restarts. A start with a `previousVersion` is an upgrade, or the way back from one. For monitoring over longer times: `/metrics`.',
      audience: 'admin of any home',
      query: RelayLoadQuery,
      answer: { description: 'Its load.', schema: RelayLoad },
      errors: [422],
    },
    {
      method: 'get',
      path: '/rest/relay/logs',
      id: 'relayLogs',
      summary: 'The last lines of the log',
      description:
        'The newest lines, oldest first, of some two thousand that are in memory. To follow: listen for `relay.logged` on `/events?type=relay.logged` and ask for what came after the last `seq`.',
      audience: 'owner of every home',
      query: LogQuery,
      answer: { description: 'The lines.', schema: z.array(LogLine) },
      errors: [422],
    },
    {
      method: 'get',
      path: '/rest/relay/settings',
      id: 'relaySettings',
      summary: 'The settings of the daemon, and where they are set',
      audience: 'owner of every home',
      answer: { description: 'All settings.', schema: z.array(RelaySetting) },
    },
    {
      method: 'patch',
      path: '/rest/relay/settings',
      id: 'updateRelaySettings',
      summary: 'Change settings that need no restart',
      description:
        'Values by name: all of them are changed or none, at once and for good; `null` takes away what was set here. A flag, a variable or the configuration file wins over this; its settings are refused here.',
      audience: 'owner of every home',
      body: {
        schema: RelaySettingChanges,
        examples: {
          'More in the log': { log_level: 'debug' },
          'A reverse proxy': { public_url: 'https://home.example.org', trusted_proxy: ['192.168.1.2'] },
        },
      },
      answer: { description: 'All settings.', schema: z.array(RelaySetting) },
      errors: [422],
    },
    {
      method: 'get',
      path: '/rest/relay/https',
      id: 'httpsStatus',
      summary: 'Whether https is on, and how its certificate does',
      audience: 'admin of any home',
      answer: { description: 'What it is like.', schema: HttpsStatus },
    },
    {
      method: 'put',
      path: '/rest/relay/https',
      id: 'turnOnHttps',
      summary: 'Turn https on, or change where its certificate comes from',
      description:
        'A port of its own opens beside http, as soon as the certificate is there. Nothing changes if it can’t be had: 422 with what to do in a sentence. It is renewed by itself.',
      audience: 'owner of every home',
      body: { schema: HttpsChoice, examples: { 'Its own authority': { source: 'own' } } },
      answer: { description: 'What it is like.', schema: HttpsStatus },
      errors: [422],
    },
    {
      method: 'delete',
      path: '/rest/relay/https',
      id: 'turnOffHttps',
      summary: 'Turn https off',
      description:
        'The keys stay: phones that trust the authority go on trusting it when https is turned on again. 422, with their names, if people with passkeys alone could not sign in any more.',
      audience: 'owner of every home',
      query: [
        {
          name: 'lockOut',
          description: 'Also if people with passkeys alone can’t sign in any more.',
          schema: { type: 'boolean', default: false },
        },
      ],
      answer: { description: 'What it is like.', schema: HttpsStatus },
      errors: [422],
    },
    {
      method: 'post',
      path: '/rest/relay/https/renew',
      id: 'renewHttps',
      summary: 'Get another certificate now',
      audience: 'owner of every home',
      body: { schema: HttpsRenewal, examples: { 'The same authority': {} } },
      answer: { description: 'What it is like.', schema: HttpsStatus },
      errors: [422],
    },
  ],
};
