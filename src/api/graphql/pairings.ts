/** Discovering, pairing and unpairing devices, and the other controllers paired with them. */
import { Controller, DiscoveredDevice, NewController, NewPairing, Pairing } from '../../contract/pairings.ts';
import { categoryTitle } from '../../home/vocabulary/hap-names.ts';
import { presentDiagnostics } from '../present/device-diagnostics.ts';
import { presentDiscovered, presentPairing } from '../present/pairing.ts';
import { builder, LIST } from './builder.ts';
import { argumentsOf, fieldsOf } from './contract-fields.ts';
import { type ActionResult, MutationResult, reportOutcome } from './result.ts';

const CATEGORY = 'The title of its HAP category.';

const Discovered = builder.objectRef<DiscoveredDevice>('DiscoveredDevice').implement({
  description: 'An accessory server seen on the network, or entered by hand.',
  fields: (t) => ({
    ...fieldsOf(t, DiscoveredDevice),
    category: t.string({
      nullable: false,
      description: CATEGORY,
      resolve: ({ category }) => categoryTitle(category),
    }),
  }),
});

const PairedAccessory = builder.objectRef<Pairing['accessories'][number]>('PairedAccessory').implement({
  description: 'An accessory of a paired device, as the home has it.',
  fields: (t) => ({
    id: t.exposeString('id', { nullable: false, description: 'A UUID.' }),
    name: t.exposeString('name', { nullable: false, description: 'Its name in the home.' }),
    isReachable: t.exposeBoolean('reachable', { nullable: false, description: 'Whether it answers.' }),
  }),
});

const PairedDevice = builder.objectRef<Pairing>('PairedDevice').implement({
  description: 'A paired device with its connection.',
  fields: (t) => ({
    ...fieldsOf(t, Pairing),
    category: t.string({
      nullable: false,
      description: CATEGORY,
      resolve: ({ category }) => categoryTitle(category),
    }),
    accessories: t.expose('accessories', {
      type: [PairedAccessory],
      nullable: false,
      description: 'Its accessories that are in the home, by name.',
    }),
  }),
});

const ControllerInfo = builder.objectRef<Controller>('Controller').implement({
  description: 'A controller that a device knows.',
  fields: (t) => fieldsOf(t, Controller),
});

const PairAccessoryResult = builder
  .objectRef<ActionResult & { pairing: Pairing | null }>('PairAccessoryResult')
  .implement({
    description: 'The result of a pairing. If it failed, `error` describes what to do.',
    interfaces: [MutationResult],
    fields: (t) => ({ pairing: t.expose('pairing', { type: PairedDevice, description: 'The paired device.' }) }),
  });

const DeviceResult = builder.objectRef<ActionResult & { deviceId: string }>('DeviceResult').implement({
  description: 'What became of something done to a device.',
  interfaces: [MutationResult],
  fields: (t) => ({ deviceId: t.exposeString('deviceId', { description: 'The device, or `host:port`.' }) }),
});

const RefreshDiscoveryResult = builder.objectRef<ActionResult>('RefreshDiscoveryResult').implement({
  description: 'Whether the network was asked.',
  interfaces: [MutationResult],
});

/** An action on a device, and its result. */
function doneTo(deviceId: string, act: () => void | Promise<void>): Promise<ActionResult & { deviceId: string }> {
  return reportOutcome(
    async () => {
      await act();
      return { deviceId };
    },
    { deviceId },
  );
}

builder.queryFields((t) => ({
  discoveredAccessories: t.field({
    type: [Discovered],
    nullable: LIST,
    description: 'Everything seen on the network, by name. For admins of any home.',
    resolve: (_, __, { caller, deps }) => deps.pairings.listDiscovered(caller).map(presentDiscovered),
  }),
  pairings: t.field({
    type: [PairedDevice],
    nullable: LIST,
    description: 'The paired devices of a home, or of all that the caller manages, with their connections. For admins.',
    args: { homeId: t.arg.string() },
    resolve: (_, { homeId }, { caller, deps: { pairings } }) =>
      pairings.list(caller, homeId ?? undefined).map((device) => presentPairing(device, pairings)),
  }),
  deviceDiagnostics: t.field({
    type: 'JSON',
    description:
      'What a device is and how it behaves, as a file for a report: without names, serial numbers, ids, addresses and keys. For admins of its home.',
    args: { deviceId: t.arg.string({ required: true }) },
    resolve: (_, { deviceId }, { caller, deps }) => presentDiagnostics(deps.pairings.diagnose(caller, deviceId)),
  }),
  controllers: t.field({
    type: [ControllerInfo],
    nullable: LIST,
    description:
      'The controllers that a device knows, this relay among them; the device is asked. For admins of its home.',
    args: { deviceId: t.arg.string({ required: true }) },
    resolve: (_, { deviceId }, { caller, deps }) => deps.pairings.listControllers(caller, deviceId),
  }),
}));

builder.mutationFields((t) => ({
  refreshDiscovery: t.field({
    type: RefreshDiscoveryResult,
    description: 'Searches the network again; what answers appears in `discoveredAccessories`. For admins of any home.',
    resolve: (_, __, { caller, deps }) =>
      reportOutcome(() => {
        deps.pairings.refresh(caller);
        return {};
      }, {}),
  }),
  pairAccessory: t.field({
    type: PairAccessoryResult,
    description:
      'Pairs with a device and brings its accessories into a home; takes up to 30 seconds. For admins of the home.',
    args: argumentsOf(t.arg, NewPairing),
    resolve: (_, input, { caller, deps: { pairings } }) =>
      reportOutcome<{ pairing: Pairing | null }, { pairing: Pairing | null }>(
        async () => ({ pairing: presentPairing(await pairings.pair(caller, input), pairings) }),
        { pairing: null },
      ),
  }),
  unpairAccessory: t.field({
    type: DeviceResult,
    description: 'Removes the pairing on the device, then its accessories here. For admins of its home.',
    args: {
      deviceId: t.arg.string({ required: true }),
      force: t.arg.boolean({ description: 'Remove the pairing here even if the device does not answer.' }),
    },
    resolve: (_, { deviceId, force }, { caller, deps }) =>
      doneTo(deviceId, () => deps.pairings.unpair(caller, deviceId, force ?? false)),
  }),
  reconnectDevice: t.field({
    type: DeviceResult,
    description:
      'Drops the connection to a paired device, or the wait for the next attempt, and connects at once; takes up to ten seconds. For admins of its home.',
    args: { deviceId: t.arg.string({ required: true }) },
    resolve: (_, { deviceId }, { caller, deps }) =>
      doneTo(deviceId, async () => {
        await deps.pairings.reconnect(caller, deviceId);
      }),
  }),
  identifyDiscovered: t.field({
    type: DeviceResult,
    description: 'Makes a device that is not paired show itself. For admins of any home.',
    args: { deviceId: t.arg.string({ required: true }) },
    resolve: (_, { deviceId }, { caller, deps }) =>
      doneTo(deviceId, () => deps.pairings.identifyUnpaired(caller, deviceId)),
  }),
  addManualDevice: t.field({
    type: DeviceResult,
    description: 'Adds a `host:port` that multicast does not reach. For admins of any home.',
    args: { hostPort: t.arg.string({ required: true }) },
    resolve: (_, { hostPort }, { caller, deps }) => doneTo(hostPort, () => deps.pairings.addManual(caller, hostPort)),
  }),
  removeManualDevice: t.field({
    type: DeviceResult,
    description: 'Removes such an entry; removing what was never added changes nothing. For admins of any home.',
    args: { hostPort: t.arg.string({ required: true }) },
    resolve: (_, { hostPort }, { caller, deps }) =>
      doneTo(hostPort, () => deps.pairings.removeManual(caller, hostPort)),
  }),
  addController: t.field({
    type: DeviceResult,
    description: 'Lets another controller into a device. For admins of its home.',
    args: {
      deviceId: t.arg.string({ required: true }),
      ...argumentsOf(t.arg, NewController),
    },
    resolve: (_, { deviceId, ...controller }, { caller, deps }) =>
      doneTo(deviceId, () => deps.pairings.addController(caller, deviceId, controller)),
  }),
  removeController: t.field({
    type: DeviceResult,
    description: 'Shuts another controller out of a device. For admins of its home.',
    args: { deviceId: t.arg.string({ required: true }), controllerId: t.arg.string({ required: true }) },
    resolve: (_, { deviceId, controllerId }, { caller, deps }) =>
      doneTo(deviceId, () => deps.pairings.removeController(caller, deviceId, controllerId)),
  }),
}));
