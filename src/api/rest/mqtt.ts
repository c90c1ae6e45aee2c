/** Connections of homes to MQTT brokers. No response contains a broker's password. */
import { Hono } from 'hono';
import { z } from 'zod';
import type { Brokers, ShownBroker } from '../../app/mqtt/brokers.ts';
import type { ApiEnv } from '../env.ts';
import { presentTime } from '../present/time.ts';
import { readBody } from '../read-body.ts';
import { answerJson } from '../respond.ts';

const Settings = {
  port: z.number().optional(),
  username: z.string().nullable().optional(),
  password: z.string().nullable().optional(),
  useTls: z.boolean().optional(),
  ca: z.string().nullable().optional(),
  topicPrefix: z.string().optional(),
  haDiscovery: z.boolean().optional(),
  haDiscoveryPrefix: z.string().optional(),
  enabled: z.boolean().optional(),
};
export const MqttSwitch = z.strictObject({ enabled: z.boolean() });
export const NewBroker = z.strictObject({ name: z.string(), host: z.string(), ...Settings });
export const BrokerChanges = z.strictObject({ name: z.string().optional(), host: z.string().optional(), ...Settings });

/** Under `/rest/homes`. */
export function mqttRoutes({ brokers }: { readonly brokers: Brokers }): Hono<ApiEnv> {
  return new Hono<ApiEnv>()
    .get('/:id/mqtt', (c) => answerJson(presentMqtt(brokers, c.get('caller'), c.req.param('id'))))
    .patch('/:id/mqtt', async (c) => {
      const { enabled } = await readBody(c, MqttSwitch);
      brokers.setEnabled(c.get('caller'), c.req.param('id'), enabled);
      return answerJson(presentMqtt(brokers, c.get('caller'), c.req.param('id')));
    })
    .post('/:id/mqtt/brokers', async (c) => {
      const input = await readBody(c, NewBroker);
      return answerJson(presentBroker(brokers.add(c.get('caller'), c.req.param('id'), input)));
    })
    .get('/:id/mqtt/brokers/:brokerId', (c) => {
      const { id, brokerId } = c.req.param();
      return answerJson(presentBroker(brokers.get(c.get('caller'), brokerId, id)));
    })
    .patch('/:id/mqtt/brokers/:brokerId', async (c) => {
      const changes = await readBody(c, BrokerChanges);
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

function presentMqtt(brokers: Brokers, caller: Parameters<Brokers['list']>[0], homeId: string): object {
  return {
    enabled: brokers.isEnabled(caller, homeId),
    brokers: brokers.list(caller, homeId).map(presentBroker),
  };
}

function presentBroker({ createdAt, connectedAt, ...broker }: ShownBroker): object {
  return { ...broker, connectedAt: presentTime(connectedAt), createdAt: presentTime(createdAt) };
}
