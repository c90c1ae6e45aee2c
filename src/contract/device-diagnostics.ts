/** The diagnostics file of a paired device: what it is and how it behaves, without what identifies it. */
import { z } from 'zod';
import { CONNECTION_TROUBLES } from '../home/pairing-driver.ts';
import { anyObject, EXAMPLE_TIME, integer, text, time, word } from './fields.ts';
import { Pairing } from './pairings.ts';
import type { Output } from './parse.ts';

const OPERATION = word(['read', 'write', 'subscribe']);
const STATUS = integer('A HAP status code; 0 is success.', -70402);
const ID = integer('As in `accessories`; null if the status was about a whole request.', 1).nullable();

export const DeviceDiagnostics = z
  .object({
    format: z.literal('hearthd.device-diagnostics'),
    version: z.literal(1),
    createdAt: time('When the file was made.', EXAMPLE_TIME),
    relayVersion: text('The version of hearthd.', '0.1.0'),
    device: z.object({
      model: Pairing.shape.model,
      manufacturer: Pairing.shape.manufacturer,
      firmware: Pairing.shape.firmware,
      category: Pairing.shape.category,
      configNumber: integer('`c#` of the database; null if it was not advertised.', 3).nullable(),
      accessoryCount: Pairing.shape.accessoryCount,
    }),
    connection: z.object({
      status: Pairing.shape.status,
      since: Pairing.shape.since,
      lastSeenAt: Pairing.shape.lastSeenAt,
      reconnects: Pairing.shape.reconnects,
      notifications: Pairing.shape.notifications,
      polls: Pairing.shape.polls,
      lastErrorReason: word(CONNECTION_TROUBLES, 'Why its connection last ended.').nullable(),
      lastErrorAt: Pairing.shape.lastErrorAt,
    }),
    events: z
      .array(
        z.object({
          at: time(),
          kind: word(['connected', 'ended', 'failed'], '`failed`: an attempt without a verified connection.'),
          reason: word(CONNECTION_TROUBLES, 'Why it ended or failed.').nullable(),
          connectedMs: integer('How long it was connected.').nullable(),
        }),
      )
      .describe('The last 100 changes of its connection since the daemon started, oldest first.'),
    responses: z.object({
      count: integer('Responses since the daemon started.', 210),
      averageMs: integer('Their average time.', 18).nullable(),
      maxMs: integer('The longest.', 240).nullable(),
      recent: z.array(z.object({ at: time(), ms: integer('In milliseconds.', 18) })).describe('The last 100.'),
    }),
    statuses: z
      .array(z.object({ operation: OPERATION, status: STATUS, count: integer('How often.', 3) }))
      .describe('How often it answered with each HAP status.'),
    failures: z
      .array(z.object({ at: time(), operation: OPERATION, aid: ID, iid: ID, status: STATUS }))
      .describe('The last 100 answers with a status other than 0.'),
    accessories: z
      .array(anyObject('An accessory object of the HAP specification, §6.3.'))
      .describe(
        'The body of `GET /accessories` with current values. Names, serial numbers, long ids and all texts that do not describe the product are replaced.',
      ),
  })
  .meta({ id: 'DeviceDiagnostics' });
export type DeviceDiagnostics = Output<typeof DeviceDiagnostics>;
