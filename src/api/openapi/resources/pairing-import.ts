import { PairingImport } from '../../rest/pairing-import.ts';
import { arrayOf, object, oneOf, orNull, ref, success, text } from '../json-schema.ts';
import type { Resource } from '../operation.ts';
import { DEVICE_ID } from './discovered.ts';

const IMPORTED = {
  name: 'Ceiling Lamp',
  deviceId: DEVICE_ID,
  outcome: 'imported',
  detail: 'It is connected. Switch it off in the other program, without removing it there: that would end the pairing.',
};

export const pairingImport: Resource = {
  tag: 'Import of pairings',
  description: 'Pairings that another controller made, taken over with its keys: no device needs to be reset.',
  schemas: {
    ImportedDevice: object({
      name: text(),
      deviceId: orNull(text('`null` if the file does not have it.')),
      outcome: oneOf(['imported', 'new', 'already_here', 'unreachable', 'refused', 'unsupported', 'invalid']),
      detail: text('What that means, and what to do.'),
    }),
  },
  operations: [
    {
      method: 'post',
      path: '/rest/pairings/import',
      id: 'importPairings',
      summary: 'Take over the pairings of another controller',
      description:
        'Reads the `pairing.json` of aiohomekit, the `.storage/core.config_entries` of Home Assistant or the long-term data of hap-controller, and connects to each device to see that it agrees: up to 15 seconds.',
      audience: 'admin',
      body: {
        schema: PairingImport,
        fields: {
          homeId: 'May be left out where there is one home.',
          data: {
            anyOf: [{ type: 'object' }, { type: 'array', items: { type: 'object' } }, text('The same as JSON text.')],
            description: 'The content of the file.',
          },
          dryRun: 'Only returns what would be done: `new` in place of `imported`.',
        },
        examples: {
          'A pairing of aiohomekit': {
            data: {
              lamp: {
                AccessoryPairingID: DEVICE_ID,
                AccessoryLTPK: '6b…',
                iOSPairingId: 'c0ffee00-0000-4000-8000-000000000001',
                iOSDeviceLTSK: '1f…',
                iOSDeviceLTPK: '9a…',
                AccessoryIP: '192.168.1.20',
                AccessoryPort: 51826,
                Connection: 'IP',
              },
            },
          },
        },
      },
      answer: {
        description: 'What became of each entry, in the order of the file.',
        schema: success({ devices: arrayOf(ref('ImportedDevice')) }),
        example: { success: true, devices: [IMPORTED] },
      },
      errors: [404],
    },
  ],
};
