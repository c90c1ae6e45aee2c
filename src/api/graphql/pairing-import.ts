/** Importing the pairings of another controller. */
import { ImportedDevice, PairingImport } from '../../contract/pairings.ts';
import { given } from './arguments.ts';
import { builder, LIST } from './builder.ts';
import { argumentsOf, fieldsOf } from './contract-fields.ts';
import { type ActionResult, MutationResult, reportOutcome } from './result.ts';

const Imported = builder.objectRef<ImportedDevice>('ImportedDevice').implement({
  description: 'What became of one entry of a file of pairings.',
  fields: (t) => fieldsOf(t, ImportedDevice),
});

type Devices = { readonly devices: readonly ImportedDevice[] };

const ImportPairingsResult = builder.objectRef<ActionResult & Devices>('ImportPairingsResult').implement({
  description: 'What became of each entry, in the order of the file.',
  interfaces: [MutationResult],
  fields: (t) => ({
    devices: t.field({
      type: [Imported],
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
      ...argumentsOf(t.arg, PairingImport.omit({ data: true })),
      data: t.arg.string({ required: true, description: 'The content of the file: JSON.' }),
    },
    resolve: (_, { data, ...options }, { caller, deps }) =>
      reportOutcome<Devices, Devices>(
        async () => ({ devices: await deps.pairingImports.import(caller, { data, ...given(options) }) }),
        { devices: [] },
      ),
  }),
}));
