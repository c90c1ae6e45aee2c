import { BrokerChanges, MqttSwitch, NewBroker } from '../../rest/mqtt.ts';
import { arrayOf, flag, id, integer, object, oneOf, orNull, ref, success, text, time } from '../json-schema.ts';
import type { Resource } from '../operation.ts';
import { HOME_ID } from './homes.ts';

const BROKER_ID = 'b1a2f3c4-6a0e-4a1b-9a33-0d7a3e5c9f10';

const BROKER = {
  id: BROKER_ID,
  homeId: HOME_ID,
  name: 'Mosquitto',
  host: 'broker.local',
  port: 8883,
  username: 'hearthd',
  useTls: true,
  ca: null,
  topicPrefix: 'homecast',
  haDiscovery: true,
  haDiscoveryPrefix: 'homeassistant',
  enabled: true,
  isConfigured: false,
  hasPassword: true,
  status: 'connected',
  error: null,
  fault: null,
  connectedAt: '2030-01-31T17:04:12.000Z',
  createdAt: '2030-01-31T17:04:11.000Z',
};

const FIELDS = {
  name: 'Unique in the home, ignoring case.',
  host: 'A name or an address, without scheme, credentials, port and path.',
  port: '1883 if left out, with TLS 8883.',
  username: '`null` or empty for none.',
  password: 'Never shown again. It must be given again where it would go somewhere else. `null` or empty for none.',
  useTls: 'Whether the connection is encrypted and the broker’s certificate checked.',
  ca: 'Certificates (PEM) of the authorities to trust instead of the usual ones; `null` or empty for those.',
  topicPrefix: 'What every topic begins with; `homecast` if left out.',
  haDiscovery: 'Whether Home Assistant is told of every device; true if left out.',
  haDiscoveryPrefix: 'Where Home Assistant looks; `homeassistant` if left out.',
  enabled: 'Whether it is connected with; true if left out.',
};

const PATH = { brokerId: 'The broker.' };
/** The broker is in the configuration, or conflicts with another. */
const CONFLICT = [422] as const;

export const mqtt: Resource = {
  tag: 'MQTT',
  description:
    'The brokers that a home is published on: its accessories, groups and scenes as topics, and Home Assistant told of all of them. ' +
    'For admins of the home, for reading too. One that stands in the configuration (`isConfigured`) can’t be changed here.',
  schemas: {
    Broker: object({
      id: id(),
      homeId: id(),
      name: text(FIELDS.name),
      host: text(),
      port: integer(),
      username: orNull(text()),
      useTls: flag(),
      ca: orNull(text(FIELDS.ca)),
      topicPrefix: text(),
      haDiscovery: flag(),
      haDiscoveryPrefix: text(),
      enabled: flag(),
      isConfigured: flag('It stands in the configuration.'),
      hasPassword: flag('Whether it has one; which is never shown.'),
      status: oneOf(['connected', 'connecting', 'error', 'disabled']),
      error: orNull(text('Why it is not connected, as a sentence.')),
      fault: orNull(oneOf(['network', 'credentials', 'certificate', 'protocol'], 'Which kind of trouble that is.')),
      connectedAt: orNull(time('Since when it is connected.')),
      createdAt: time(),
    }),
    Mqtt: object({
      enabled: flag('Whether the home may be published at all.'),
      brokers: arrayOf(ref('Broker'), 'By name.'),
    }),
  },
  operations: [
    {
      method: 'get',
      path: '/rest/homes/:id/mqtt',
      id: 'getMqtt',
      summary: 'The brokers of a home, and how their connections fare',
      audience: 'admin',
      answer: { description: 'The brokers.', schema: ref('Mqtt'), example: { enabled: true, brokers: [BROKER] } },
      errors: [404],
    },
    {
      method: 'patch',
      path: '/rest/homes/:id/mqtt',
      id: 'setMqttEnabled',
      summary: 'Take a home off all its brokers, or put it back',
      audience: 'admin',
      body: {
        schema: MqttSwitch,
        fields: { enabled: 'Whether the home may be published at all.' },
        examples: { 'Take it off': { enabled: false } },
      },
      answer: { description: 'As it is now.', schema: ref('Mqtt'), example: { enabled: false, brokers: [] } },
      errors: [404],
    },
    {
      method: 'post',
      path: '/rest/homes/:id/mqtt/brokers',
      id: 'addBroker',
      summary: 'Add a broker',
      audience: 'admin',
      body: {
        schema: NewBroker,
        fields: FIELDS,
        examples: {
          'Without encryption': { name: 'Mosquitto', host: 'broker.local' },
          'With TLS and a password': {
            name: 'Mosquitto',
            host: 'broker.local',
            useTls: true,
            username: 'hearthd',
            password: 'a long password',
          },
        },
      },
      answer: { description: 'The broker.', schema: ref('Broker'), example: { ...BROKER, status: 'connecting' } },
      errors: [404],
    },
    {
      method: 'get',
      path: '/rest/homes/:id/mqtt/brokers/:brokerId',
      pathParameters: PATH,
      id: 'getBroker',
      summary: 'One broker',
      audience: 'admin',
      answer: { description: 'The broker.', schema: ref('Broker'), example: BROKER },
    },
    {
      method: 'patch',
      path: '/rest/homes/:id/mqtt/brokers/:brokerId',
      pathParameters: PATH,
      id: 'updateBroker',
      summary: 'Change a broker',
      audience: 'admin',
      body: {
        schema: BrokerChanges,
        fields: FIELDS,
        examples: { 'Another prefix': { topicPrefix: 'house/ground-floor' }, 'Switch it off': { enabled: false } },
      },
      answer: { description: 'The broker as it is now.', schema: ref('Broker'), example: BROKER },
      errors: CONFLICT,
    },
    {
      method: 'delete',
      path: '/rest/homes/:id/mqtt/brokers/:brokerId',
      pathParameters: PATH,
      id: 'removeBroker',
      summary: 'Remove a broker',
      description: 'What was published there is taken back, if the broker can be reached.',
      audience: 'admin',
      answer: {
        description: 'It is gone.',
        schema: success({ brokerId: id() }),
        example: { success: true, brokerId: BROKER_ID },
      },
      errors: CONFLICT,
    },
    {
      method: 'post',
      path: '/rest/homes/:id/mqtt/brokers/:brokerId/test',
      pathParameters: PATH,
      id: 'testBroker',
      summary: 'Try a broker out',
      description: 'Connects with it for a moment, beside the connection that there may be. Takes up to ten seconds.',
      audience: 'admin',
      answer: {
        description: 'What came of it.',
        schema: object({
          success: flag('Whether the broker let us in.'),
          error: orNull(text('Why not, as a sentence.')),
          responseTimeMs: orNull(integer('How long that took, in milliseconds.')),
        }),
        example: { success: true, error: null, responseTimeMs: 12 },
      },
    },
  ],
};
