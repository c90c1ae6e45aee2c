import { z } from 'zod';
import {
  Broker,
  BrokerChanges,
  BrokerTest,
  Mqtt,
  MqttService,
  MqttSwitch,
  NewBroker,
  RemovedBroker,
} from '../../../contract/mqtt.ts';
import type { Resource } from '../operation.ts';

const PATH = { brokerId: 'The broker.' };
/** The broker is in the configuration, or conflicts with another. */
const CONFLICT = [422] as const;

export const mqtt: Resource = {
  tag: 'MQTT',
  description:
    'The brokers that a home is published on: its accessories, groups and scenes as topics, and Home Assistant discovers all of them. ' +
    'For admins of the home, for reading too. One that stands in the configuration (`isConfigured`) can’t be changed here.',
  operations: [
    {
      method: 'get',
      path: '/rest/homes/:id/mqtt',
      id: 'getMqtt',
      summary: 'The brokers of a home, and how their connections fare',
      audience: 'admin',
      answer: { description: 'The brokers.', schema: Mqtt },
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
        examples: { 'Take it off': { enabled: false } },
      },
      answer: { description: 'As it is now.', schema: Mqtt },
      errors: [404],
    },
    {
      method: 'post',
      path: '/rest/homes/:id/mqtt/discover',
      id: 'discoverBrokers',
      summary: 'Look for brokers on the network',
      description:
        'Takes some seconds. Brokers and Home Assistant answer if they announce themselves (`_mqtt._tcp`, `_secure-mqtt._tcp`, `_home-assistant._tcp`). The relay connects to none of them; anything on the network may claim any name.',
      audience: 'admin',
      answer: { description: 'What answered, brokers first; 32 at most.', schema: z.array(MqttService) },
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
      answer: { description: 'The broker.', schema: Broker },
      errors: [404],
    },
    {
      method: 'get',
      path: '/rest/homes/:id/mqtt/brokers/:brokerId',
      pathParameters: PATH,
      id: 'getBroker',
      summary: 'One broker',
      audience: 'admin',
      answer: { description: 'The broker.', schema: Broker },
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
        examples: { 'Another prefix': { topicPrefix: 'home/ground-floor' }, 'Switch it off': { enabled: false } },
      },
      answer: { description: 'The broker as it is now.', schema: Broker },
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
      answer: { description: 'It is gone.', schema: RemovedBroker },
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
        schema: BrokerTest,
      },
    },
  ],
};
