/** Discovering, pairing and unpairing devices, and the other controllers paired with them. */
import type { Accessory } from '../../home/model.ts';
import type {
  DiscoveredDevice as Discovered,
  PairedDevice as Paired,
  RegisteredController as Registered,
} from '../../home/pairing-driver.ts';
import { categoryTitle } from '../../home/vocabulary/hap-names.ts';
import { presentTime } from '../present/time.ts';
import { builder, LIST } from './builder.ts';
import { MutationResult, type Outcome, reportOutcome } from './result.ts';

const DiscoveredDevice = builder.objectRef<Discovered>('DiscoveredDevice').implement({
  description: 'An accessory server seen on the network, or entered by hand.',
  fields: (t) => ({
    deviceId: t.exposeString('deviceId', {
      nullable: false,
      description: 'Its HAP device id; for an entry made by hand and not identified yet, `host:port`.',
    }),
    name: t.exposeString('name', { nullable: false, description: 'What it calls itself.' }),
    model: t.exposeString('model', { nullable: false, description: 'Its model.' }),
    category: t.string({
      nullable: false,
      description: 'The title of its HAP category.',
      resolve: ({ category }) => categoryTitle(category),
    }),
    pairable: t.exposeBoolean('pairable', {
      nullable: false,
      description: 'false: another controller holds it; remove it there before you pair it here.',
    }),
    pairedHere: t.exposeBoolean('pairedHere', {
      nullable: false,
      description: 'Whether this relay is paired with it.',
    }),
    homeId: t.exposeString('homeId', { description: 'The home that it is paired into, where it is paired here.' }),
    configNumber: t.exposeInt('configNumber', { nullable: false, description: 'Changes when its accessories do.' }),
    addresses: t.exposeStringList('addresses', { nullable: false, description: 'Its IP addresses.' }),
    port: t.exposeInt('port', { nullable: false, description: 'Its TCP port.' }),
    via: t.exposeString('via', { nullable: false, description: '`mdns` or `manual`.' }),
    lastSeenAt: t.string({
      nullable: false,
      description: 'When it was seen last, ISO 8601.',
      resolve: ({ lastSeenAt }) => presentTime(lastSeenAt),
    }),
  }),
});

const PairedAccessory = builder.objectRef<Pick<Accessory, 'id' | 'name' | 'reachable'>>('PairedAccessory').implement({
  description: 'An accessory of a paired device, as the home has it.',
  fields: (t) => ({
    id: t.exposeString('id', { nullable: false, description: 'A UUID.' }),
    name: t.exposeString('name', { nullable: false, description: 'Its name in the home.' }),
    isReachable: t.exposeBoolean('reachable', { nullable: false, description: 'Whether it answers.' }),
  }),
});

const PairedDevice = builder.objectRef<Paired>('PairedDevice').implement({
  description: 'A paired device with its connection.',
  fields: (t) => ({
    deviceId: t.exposeString('deviceId', { nullable: false, description: 'Its HAP device id.' }),
    homeId: t.exposeString('homeId', { nullable: false, description: 'The home that it is paired into.' }),
    name: t.exposeString('name', { nullable: false, description: 'What it calls itself.' }),
    model: t.exposeString('model', { nullable: false, description: 'Its model.' }),
    category: t.string({
      nullable: false,
      description: 'The title of its HAP category.',
      resolve: ({ category }) => categoryTitle(category),
    }),
    status: t.exposeString('status', {
      nullable: false,
      description: '`connected`, `connecting`, `offline`, `pairing_lost`, `pairing_incomplete` or `paused`.',
    }),
    statusDetail: t.exposeString('statusDetail', { description: 'Why, and what to do, where it is not connected.' }),
    since: t.string({
      nullable: false,
      description: 'Since when that is so, ISO 8601.',
      resolve: ({ since }) => presentTime(since),
    }),
    address: t.exposeString('address', { description: 'The address that it was reached at last.' }),
    reconnects: t.exposeInt('reconnects', { nullable: false, description: 'How often it reconnected.' }),
    pairedAt: t.string({
      nullable: false,
      description: 'When it was paired, ISO 8601.',
      resolve: ({ pairedAt }) => presentTime(pairedAt),
    }),
    manufacturer: t.exposeString('manufacturer', { description: 'Who made it; null before it was read.' }),
    serialNumber: t.exposeString('serialNumber', { description: 'As its maker has it.' }),
    firmware: t.exposeString('firmware', { description: 'The version of its own software.' }),
    accessoryCount: t.exposeInt('accessoryCount', {
      nullable: false,
      description: 'How many accessories it has: more than one behind a bridge.',
    }),
    accessories: t.field({
      type: [PairedAccessory],
      nullable: false,
      description: 'Those of them that are in the home, by name.',
      resolve: (device, _, { deps }) => [...deps.pairings.accessoriesOf(device)],
    }),
    lastSeenAt: t.string({
      description: 'When it last sent something, ISO 8601; null if not since the start.',
      resolve: ({ lastSeenAt }) => presentTime(lastSeenAt),
    }),
    latencyMs: t.exposeInt('latencyMs', { description: 'How long it took to answer lately, in milliseconds.' }),
    notifications: t.exposeInt('notifications', {
      nullable: false,
      description: 'How many events it sent since the start.',
    }),
    polls: t.exposeInt('polls', {
      nullable: false,
      description: 'How often it was polled, because it may not send events.',
    }),
    lastError: t.exposeString('lastError', { description: 'Why its connection ended last; null if it has not.' }),
    lastErrorReason: t.exposeString('lastErrorReason', {
      description: 'The same as a word: `not_seen`, `unreachable`, `timeout` …',
    }),
    lastErrorAt: t.string({
      description: 'When that was, ISO 8601.',
      resolve: ({ lastErrorAt }) => presentTime(lastErrorAt),
    }),
  }),
});

const Controller = builder.objectRef<Registered>('Controller').implement({
  description: 'A controller that a device knows.',
  fields: (t) => ({
    id: t.exposeString('id', { nullable: false, description: 'Its pairing id.' }),
    publicKey: t.exposeString('publicKey', { nullable: false, description: 'Its Ed25519 key, 64 hex digits.' }),
    admin: t.exposeBoolean('admin', { nullable: false, description: 'Whether it may let others in.' }),
    self: t.exposeBoolean('self', { nullable: false, description: 'Whether it is this relay.' }),
  }),
});

const PairAccessoryResult = builder.objectRef<Outcome & { pairing: Paired | null }>('PairAccessoryResult').implement({
  description: 'The result of a pairing. If it failed, `error` describes what to do.',
  interfaces: [MutationResult],
  fields: (t) => ({ pairing: t.expose('pairing', { type: PairedDevice, description: 'The paired device.' }) }),
});

const DeviceResult = builder.objectRef<Outcome & { deviceId: string }>('DeviceResult').implement({
  description: 'What became of something done to a device.',
  interfaces: [MutationResult],
  fields: (t) => ({ deviceId: t.exposeString('deviceId', { description: 'The device, or `host:port`.' }) }),
});

const RefreshDiscoveryResult = builder.objectRef<Outcome>('RefreshDiscoveryResult').implement({
  description: 'Whether the network was asked.',
  interfaces: [MutationResult],
});

/** An action on a device, and its result. */
function doneTo(deviceId: string, act: () => void | Promise<void>): Promise<Outcome & { deviceId: string }> {
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
    type: [DiscoveredDevice],
    nullable: LIST,
    description: 'Everything seen on the network, by name. For admins of any home.',
    resolve: (_, __, { caller, deps }) => deps.pairings.listDiscovered(caller),
  }),
  pairings: t.field({
    type: [PairedDevice],
    nullable: LIST,
    description: 'The paired devices of a home, or of all that the caller manages, with their connections. For admins.',
    args: { homeId: t.arg.string() },
    resolve: (_, { homeId }, { caller, deps }) => deps.pairings.list(caller, homeId ?? undefined),
  }),
  controllers: t.field({
    type: [Controller],
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
    args: {
      homeId: t.arg.string({ description: 'May be left out where the caller manages one home only.' }),
      device: t.arg.string({ required: true, description: 'A device id as discovered, or `host:port`.' }),
      setupCode: t.arg.string({ required: true, description: '`031-45-154`, `03145154` or an `X-HM://…` payload.' }),
    },
    resolve: (_, { homeId, device, setupCode }, { caller, deps }) =>
      reportOutcome<{ pairing: Paired | null }, { pairing: Paired | null }>(
        async () => ({ pairing: await deps.pairings.pair(caller, { homeId, device, setupCode }) }),
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
      id: t.arg.string({ required: true, description: 'The controller’s pairing id, at most 36 characters.' }),
      publicKey: t.arg.string({ required: true, description: 'Its Ed25519 key, 64 hex digits.' }),
      admin: t.arg.boolean({ required: true, description: 'Whether it may let others in.' }),
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
