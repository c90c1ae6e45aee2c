/** Importing the pairings of another controller. */
import type { ImportedDevice as Imported } from '../../app/pairings/import/pairing-imports.ts';
import { builder, LIST } from './builder.ts';
import { MutationResult, type Outcome, reportOutcome } from './result.ts';

const ImportedDevice = builder.objectRef<Imported>('ImportedDevice').implement({
  description: 'What became of one entry of a file of pairings.',
  fields: (t) => ({
    name: t.exposeString('name', { nullable: false, description: 'What the file calls it.' }),
    deviceId: t.exposeString('deviceId', { description: 'Its HAP device id; null if the file does not have it.' }),
    outcome: t.exposeString('outcome', {
      nullable: false,
      description: '`imported`, `new`, `already_here`, `unreachable`, `refused`, `unsupported` or `invalid`.',
    }),
    detail: t.exposeString('detail', { nullable: false, description: 'What that means, and what to do.' }),
  }),
});

type Devices = { readonly devices: readonly Imported[] };

const ImportPairingsResult = builder.objectRef<Outcome & Devices>('ImportPairingsResult').implement({
  description: 'What became of each entry, in the order of the file.',
  interfaces: [MutationResult],
  fields: (t) => ({
    devices: t.field({
      type: [ImportedDevice],
      nullable: LIST,
      description: 'One an entry.',
      resolve: ({ devices }) => [...devices],
    }),
  }),
});

builder.mutationFields((t) => ({
  importPairings: t.field({
    type: ImportPairingsResult,
    description:
      'Takes over the pairings in a file of aiohomekit, Home Assistant or hap-controller, and connects to each device; takes up to 15 seconds. For admins of the home.',
    args: {
      homeId: t.arg.string({ description: 'May be left out where the caller manages one home only.' }),
      data: t.arg.string({ required: true, description: 'The content of the file: JSON.' }),
      dryRun: t.arg.boolean({ description: 'Only returns what would be done.' }),
    },
    resolve: (_, { homeId, data, dryRun }, { caller, deps }) =>
      reportOutcome<Devices, Devices>(
        async () => ({ devices: await deps.pairingImports.import(caller, { homeId, data, dryRun }) }),
        { devices: [] },
      ),
  }),
}));
