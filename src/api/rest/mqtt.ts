/** Connections of homes to MQTT brokers. No response contains a broker's password. */
import { Hono } from 'hono';
import type { BrokerSearch } from '../../app/mqtt/broker-search.ts';
import type { Brokers } from '../../app/mqtt/brokers.ts';
import { BrokerChanges, type Mqtt, MqttSwitch, NewBroker } from '../../contract/mqtt.ts';
import type { ApiEnv } from '../env.ts';
import { presentBroker } from '../present/broker.ts';
import { readInput } from '../read-body.ts';
import { answerJson } from '../respond.ts';

interface MqttRoutesDeps {
  readonly brokers: Brokers;
  readonly brokerSearch: BrokerSearch;
}

/** Under `/rest/homes`. */
export function mqttRoutes({ brokers, brokerSearch }: MqttRoutesDeps): Hono<ApiEnv> {
  return new Hono<ApiEnv>()
    .get('/:id/mqtt', (c) => answerJson(presentMqtt(brokers, c.get('caller'), c.req.param('id'))))
    .patch('/:id/mqtt', async (c) => {
      const { enabled } = await readInput(c, MqttSwitch);
      brokers.setEnabled(c.get('caller'), c.req.param('id'), enabled);
      return answerJson(presentMqtt(brokers, c.get('caller'), c.req.param('id')));
    })
    .post('/:id/mqtt/discover', async (c) => answerJson(await brokerSearch.find(c.get('caller'), c.req.param('id'))))
    .post('/:id/mqtt/brokers', async (c) => {
      const input = await readInput(c, NewBroker);
      return answerJson(presentBroker(brokers.add(c.get('caller'), c.req.param('id'), input)));
    })
    .get('/:id/mqtt/brokers/:brokerId', (c) => {
      const { id, brokerId } = c.req.param();
      return answerJson(presentBroker(brokers.get(c.get('caller'), brokerId, id)));
    })
    .patch('/:id/mqtt/brokers/:brokerId', async (c) => {
      const changes = await readInput(c, BrokerChanges);
      const { id, brokerId } = c.req.param();
      return answerJson(presentBroker(brokers.update(c.get('caller'), brokerId, changes, id)));
    })
    .delete('/:id/mqtt/brokers/:brokerId', (c) => {
      const { id, brokerId } = c.req.param();
      brokers.remove(c.get('caller'), brokerId, id);
      return answerJson({ success: true, brokerId: brokerId.toLowerCase() });
    })
    .post('/:id/mqtt/brokers/:brokerId/test', async (c) => {
      const { id, brokerId } = c.req.param();
      return answerJson(await brokers.test(c.get('caller'), brokerId, id));
    });
}

function presentMqtt(brokers: Brokers, caller: Parameters<Brokers['list']>[0], homeId: string): Mqtt {
  return {
    enabled: brokers.isEnabled(caller, homeId),
    brokers: brokers.list(caller, homeId).map(presentBroker),
  };
}
