import { EXAMPLE_DEVICE_ID, ImportedDevices, PairingImport } from '../../../contract/pairings.ts';
import type { Resource } from '../operation.ts';

export const pairingImport: Resource = {
  tag: 'Import of pairings',
  description: 'Pairings that another controller made, taken over with its keys: no device needs to be reset.',
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
        examples: {
          'A pairing of aiohomekit': {
            data: {
              lamp: {
                AccessoryPairingID: EXAMPLE_DEVICE_ID,
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
        schema: ImportedDevices,
      },
      errors: [404],
    },
  ],
};
