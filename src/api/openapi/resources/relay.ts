import { z } from 'zod';
import { LogLine, LogQuery, RelaySetting, RelaySettingChanges, RelayStatus } from '../../../contract/relay.ts';
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
  ],
};
