/** Connections of homes to MQTT brokers. */
import { Broker, BrokerChanges, type Mqtt, MqttService, NewBroker } from '../../contract/mqtt.ts';
import { presentBroker } from '../present/broker.ts';
import { given, HOME_CHECK } from './arguments.ts';
import { builder, LIST } from './builder.ts';
import type { GraphqlContext } from './context.ts';
import { argumentsOf, fieldsOf } from './contract-fields.ts';
import { type ActionResult, MutationResult, reportOutcome } from './result.ts';

const MqttBroker = builder.objectRef<Broker>('MqttBroker').implement({
  description: 'A broker that a home is published on. Its password is never shown.',
  fields: (t) => fieldsOf(t, Broker),
});

const Service = builder.objectRef<MqttService>('MqttService').implement({
  description: 'A broker, or Home Assistant, that announces itself on the network.',
  fields: (t) => fieldsOf(t, MqttService),
});

const HomeMqttStatus = builder.objectRef<Mqtt>('HomeMqttStatus').implement({
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
      resolve: ({ brokers }) => [...brokers],
    }),
  }),
});

const SetHomeMqttResult = builder.objectRef<ActionResult & { enabled: boolean | null }>('SetHomeMqttResult').implement({
  description: 'Whether a home is published from now on.',
  interfaces: [MutationResult],
  fields: (t) => ({ enabled: t.exposeBoolean('enabled', { description: 'As it is now.' }) }),
});

const RemoveBrokerResult = builder
  .objectRef<ActionResult & { brokerId: string }>('RemoveHomeMqttBrokerResult')
  .implement({
    description: 'Whether a broker was removed.',
    interfaces: [MutationResult],
    fields: (t) => ({ brokerId: t.exposeString('brokerId', { description: 'The broker.' }) }),
  });

const BrokerTestResult = builder
  .objectRef<ActionResult & { responseTimeMs: number | null }>('TestHomeMqttBrokerResult')
  .implement({
    description: 'What came of trying a broker out: `success` if it let us in, else `error`.',
    interfaces: [MutationResult],
    fields: (t) => ({
      responseTimeMs: t.exposeInt('responseTimeMs', { description: 'How long that took.' }),
    }),
  });

function statusOf({ caller, deps }: GraphqlContext, homeId: string): Mqtt {
  return {
    enabled: deps.brokers.isEnabled(caller, homeId),
    brokers: deps.brokers.list(caller, homeId).map(presentBroker),
  };
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
    resolve: (_, { homeId }, { caller, deps }) => deps.brokers.list(caller, homeId).map(presentBroker),
  }),
  homeMqttStatus: t.field({
    type: HomeMqttStatus,
    description: 'How a home fares on its brokers. For its admins.',
    args: { homeId: t.arg.string({ required: true }) },
    resolve: (_, { homeId }, context) => statusOf(context, homeId),
  }),
}));

builder.mutationFields((t) => {
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
    discoverHomeMqttBrokers: t.field({
      type: [Service],
      nullable: LIST,
      description:
        'Looks for brokers and Home Assistant on the network, which takes some seconds, and connects to none of them. For admins of the home.',
      args: { homeId: t.arg.string({ required: true }) },
      resolve: async (_, { homeId }, { caller, deps }) => [...(await deps.brokerSearch.find(caller, homeId))],
    }),
    addHomeMqttBroker: t.field({
      type: MqttBroker,
      description: 'Adds a broker; it is connected with at once. For admins of the home.',
      args: {
        homeId: t.arg.string({ required: true }),
        ...argumentsOf(t.arg, NewBroker),
      },
      resolve: (_, { homeId, name, host, ...choices }, { caller, deps }) =>
        presentBroker(deps.brokers.add(caller, homeId, { name, host, ...given(choices) })),
    }),
    updateHomeMqttBroker: t.field({
      type: MqttBroker,
      description: 'Changes a broker; what is left out stays. For admins of its home.',
      args: {
        brokerId: t.arg.string({ required: true }),
        homeId: t.arg.string({ description: HOME_CHECK }),
        ...argumentsOf(t.arg, BrokerChanges),
      },
      resolve: (_, { brokerId, homeId, ...changes }, { caller, deps }) =>
        presentBroker(deps.brokers.update(caller, brokerId, given(changes), homeId)),
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
