/** Connections of homes to MQTT brokers. */
import type { ShownBroker } from '../../app/mqtt/brokers.ts';
import { presentTime } from '../present/time.ts';
import { given, HOME_CHECK } from './arguments.ts';
import { builder, LIST } from './builder.ts';
import type { GraphqlContext } from './context.ts';
import { MutationResult, type Outcome, reportOutcome } from './result.ts';

const MqttBroker = builder.objectRef<ShownBroker>('MqttBroker').implement({
  description: 'A broker that a home is published on. Its password is never shown.',
  fields: (t) => ({
    id: t.exposeString('id', { nullable: false, description: 'A UUID.' }),
    homeId: t.exposeString('homeId', { nullable: false, description: 'The home.' }),
    name: t.exposeString('name', { nullable: false, description: 'Unique in the home, ignoring case.' }),
    host: t.exposeString('host', { nullable: false, description: 'A name or an address.' }),
    port: t.exposeInt('port', { nullable: false, description: 'The port.' }),
    username: t.exposeString('username', { description: 'The user name; null to sign in without one.' }),
    hasPassword: t.exposeBoolean('hasPassword', { nullable: false, description: 'Whether it has a password.' }),
    useTls: t.exposeBoolean('useTls', { nullable: false, description: 'Whether the connection is encrypted.' }),
    ca: t.exposeString('ca', { description: 'Certificates (PEM) trusted instead of the usual authorities.' }),
    topicPrefix: t.exposeString('topicPrefix', { nullable: false, description: 'What every topic begins with.' }),
    haDiscovery: t.exposeBoolean('haDiscovery', {
      nullable: false,
      description: 'Whether Home Assistant is told of every device.',
    }),
    haDiscoveryPrefix: t.exposeString('haDiscoveryPrefix', {
      nullable: false,
      description: 'Where Home Assistant looks.',
    }),
    enabled: t.exposeBoolean('enabled', { nullable: false, description: 'Whether it is to be connected with.' }),
    isConfigured: t.exposeBoolean('isConfigured', {
      nullable: false,
      description: 'It stands in the configuration and can’t be changed here.',
    }),
    status: t.exposeString('status', {
      nullable: false,
      description: 'connected, connecting, error or disabled.',
    }),
    error: t.exposeString('error', { description: 'Why it is not connected, as a sentence.' }),
    fault: t.exposeString('fault', {
      description: 'Which kind of trouble that is: network, credentials, certificate or protocol.',
    }),
    connectedAt: t.string({
      description: 'Since when it is connected, ISO 8601.',
      resolve: ({ connectedAt }) => presentTime(connectedAt),
    }),
    createdAt: t.string({
      nullable: false,
      description: 'When it was added, ISO 8601.',
      resolve: ({ createdAt }) => presentTime(createdAt),
    }),
  }),
});

interface MqttStatus {
  readonly enabled: boolean;
  readonly brokers: readonly ShownBroker[];
}

const HomeMqttStatus = builder.objectRef<MqttStatus>('HomeMqttStatus').implement({
  description: 'How a home fares on its brokers.',
  fields: (t) => ({
    enabled: t.exposeBoolean('enabled', { nullable: false, description: 'Whether it may be published at all.' }),
    connected: t.boolean({
      nullable: false,
      description: 'Whether any broker is connected.',
      resolve: ({ brokers }) => brokers.some(({ status }) => status === 'connected'),
    }),
    brokers: t.field({
      type: [MqttBroker],
      nullable: LIST,
      description: 'By name.',
      resolve: ({ brokers }) => brokers,
    }),
  }),
});

const SetHomeMqttResult = builder.objectRef<Outcome & { enabled: boolean | null }>('SetHomeMqttResult').implement({
  description: 'Whether a home is published from now on.',
  interfaces: [MutationResult],
  fields: (t) => ({ enabled: t.exposeBoolean('enabled', { description: 'As it is now.' }) }),
});

const RemoveBrokerResult = builder.objectRef<Outcome & { brokerId: string }>('RemoveHomeMqttBrokerResult').implement({
  description: 'Whether a broker was removed.',
  interfaces: [MutationResult],
  fields: (t) => ({ brokerId: t.exposeString('brokerId', { description: 'The broker.' }) }),
});

const BrokerTestResult = builder
  .objectRef<Outcome & { responseTimeMs: number | null }>('TestHomeMqttBrokerResult')
  .implement({
    description: 'What came of trying a broker out: `success` if it let us in, else `error`.',
    interfaces: [MutationResult],
    fields: (t) => ({
      responseTimeMs: t.exposeInt('responseTimeMs', { description: 'How long that took.' }),
    }),
  });

function statusOf({ caller, deps }: GraphqlContext, homeId: string): MqttStatus {
  return { enabled: deps.brokers.isEnabled(caller, homeId), brokers: deps.brokers.list(caller, homeId) };
}

builder.queryFields((t) => ({
  homeMqttEnabled: t.boolean({
    nullable: false,
    description: 'Whether a home may be published on its brokers. For its admins.',
    args: { homeId: t.arg.string({ required: true }) },
    resolve: (_, { homeId }, { caller, deps }) => deps.brokers.isEnabled(caller, homeId),
  }),
  homeMqttBrokers: t.field({
    type: [MqttBroker],
    nullable: LIST,
    description: 'The brokers of a home, by name. For its admins.',
    args: { homeId: t.arg.string({ required: true }) },
    resolve: (_, { homeId }, { caller, deps }) => deps.brokers.list(caller, homeId),
  }),
  homeMqttStatus: t.field({
    type: HomeMqttStatus,
    description: 'How a home fares on its brokers. For its admins.',
    args: { homeId: t.arg.string({ required: true }) },
    resolve: (_, { homeId }, context) => statusOf(context, homeId),
  }),
}));

builder.mutationFields((t) => {
  /**
   * Arguments of both mutations beside name and host. An empty string removes a user name, a password or certificates.
   */
  const settings = {
    port: t.arg.int({ description: '1883 if left out, with TLS 8883.' }),
    username: t.arg.string({ description: 'Empty for none.' }),
    password: t.arg.string({
      description: 'Never shown again; to be given again where it would go somewhere else. Empty for none.',
    }),
    useTls: t.arg.boolean({ description: 'Whether to encrypt, and to check the broker’s certificate.' }),
    ca: t.arg.string({ description: 'Certificates (PEM) to trust instead of the usual authorities; empty for those.' }),
    topicPrefix: t.arg.string({ description: 'What every topic begins with; homecast if left out.' }),
    haDiscovery: t.arg.boolean({ description: 'Whether to tell Home Assistant of every device; true if left out.' }),
    haDiscoveryPrefix: t.arg.string({ description: 'Where Home Assistant looks; homeassistant if left out.' }),
    enabled: t.arg.boolean({ description: 'Whether to connect with it; true if left out.' }),
  };
  return {
    setHomeMqttEnabled: t.field({
      type: SetHomeMqttResult,
      description: 'Takes a home off all its brokers, or puts it back. For its admins.',
      args: { homeId: t.arg.string({ required: true }), enabled: t.arg.boolean({ required: true }) },
      resolve: (_, { homeId, enabled }, { caller, deps }) =>
        reportOutcome(
          () => {
            deps.brokers.setEnabled(caller, homeId, enabled);
            return { enabled };
          },
          { enabled: null },
        ),
    }),
    addHomeMqttBroker: t.field({
      type: MqttBroker,
      description: 'Adds a broker; it is connected with at once. For admins of the home.',
      args: {
        homeId: t.arg.string({ required: true }),
        name: t.arg.string({ required: true }),
        host: t.arg.string({ required: true, description: 'Without scheme, credentials, port and path.' }),
        ...settings,
      },
      resolve: (_, { homeId, ...input }, { caller, deps }) => deps.brokers.add(caller, homeId, given(input)),
    }),
    updateHomeMqttBroker: t.field({
      type: MqttBroker,
      description: 'Changes a broker; what is left out stays. For admins of its home.',
      args: {
        brokerId: t.arg.string({ required: true }),
        homeId: t.arg.string({ description: HOME_CHECK }),
        name: t.arg.string(),
        host: t.arg.string({ description: 'Without scheme, credentials, port and path.' }),
        ...settings,
      },
      resolve: (_, { brokerId, homeId, ...changes }, { caller, deps }) =>
        deps.brokers.update(caller, brokerId, given(changes), homeId),
    }),
    removeHomeMqttBroker: t.field({
      type: RemoveBrokerResult,
      description:
        'Removes a broker; what was published there is taken back, if it can be reached. For admins of its home.',
      args: { brokerId: t.arg.string({ required: true }), homeId: t.arg.string({ description: HOME_CHECK }) },
      resolve: (_, { brokerId, homeId }, { caller, deps }) =>
        reportOutcome(
          () => {
            deps.brokers.remove(caller, brokerId, homeId);
            return { brokerId: brokerId.toLowerCase() };
          },
          { brokerId },
        ),
    }),
    testHomeMqttBroker: t.field({
      type: BrokerTestResult,
      description: 'Connects with a broker for a moment, which takes up to ten seconds. For admins of its home.',
      args: { brokerId: t.arg.string({ required: true }), homeId: t.arg.string({ description: HOME_CHECK }) },
      resolve: (_, { brokerId, homeId }, { caller, deps }) =>
        reportOutcome(() => deps.brokers.test(caller, brokerId, homeId), { responseTimeMs: null }),
    }),
  };
});
