/** wire-facts §11.3, brokers: their settings, and how people manage them. */
import { afterAll, describe, expect, it } from 'vitest';
import { createRestClient, createTestApi, createToken } from '../support/rest-client.ts';
import { createTestHome } from '../support/test-home.ts';

const SECRET = 'hunter2-of-the-broker';

describe('brokers', () => {
  const home = createTestHome({ sample: true });
  afterAll(() => home.close());
  const app = createTestApi(home);
  const rest = createRestClient(app, createToken(home));
  const path = `/rest/homes/${home.home.id}/mqtt`;

  async function ask(query: string) {
    const { body } = await rest.post('/graphql', { query });
    return body;
  }

  it('Broker config: id, name, host, port, username, password, useTLS, topicPrefix, haDiscovery, haDiscoveryPrefix (homeassistant), enabled, status', async () => {
    const input = { name: 'Mosquitto', host: 'broker.local', username: 'ada', password: SECRET };
    const { status, body } = await rest.post(`${path}/brokers`, input);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      ...{ name: 'Mosquitto', host: 'broker.local', port: 1883, username: 'ada', hasPassword: true, useTls: false },
      ...{ topicPrefix: 'homecast', haDiscovery: true, haDiscoveryPrefix: 'homeassistant', enabled: true },
    });
    expect(['connected', 'connecting', 'error', 'disabled']).toContain(body.status);
    expect(body).not.toHaveProperty('password');
  });

  it('GraphQL: homeMqttEnabled(homeId), homeMqttBrokers, homeMqttStatus, setHomeMqttEnabled', async () => {
    const homeId = JSON.stringify(home.home.id);
    const off = await ask(`mutation { setHomeMqttEnabled(homeId: ${homeId}, enabled: false) { success enabled } }`);
    expect(off.data.setHomeMqttEnabled).toEqual({ success: true, enabled: false });
    const query = `{ homeMqttEnabled(homeId: ${homeId}) homeMqttBrokers(homeId: ${homeId}) { name status hasPassword }
      homeMqttStatus(homeId: ${homeId}) { enabled connected brokers { error } } cachedHomes { mqttEnabled } }`;
    expect((await ask(query)).data).toEqual({
      homeMqttEnabled: false,
      homeMqttBrokers: [{ name: 'Mosquitto', status: 'disabled', hasPassword: true }],
      homeMqttStatus: { enabled: false, connected: false, brokers: [{ error: null }] },
      cachedHomes: [{ mqttEnabled: false }],
    });
    await ask(`mutation { setHomeMqttEnabled(homeId: ${homeId}, enabled: true) { success } }`);
    expect((await ask(query)).data).toMatchObject({ homeMqttEnabled: true, cachedHomes: [{ mqttEnabled: true }] });
  });

  it('addHomeMqttBroker(homeId!, name!, host!, port, username, password, useTls, topicPrefix, haDiscovery), updateHomeMqttBroker, removeHomeMqttBroker', async () => {
    const settings = `port: 8883, username: "ada", password: "${SECRET}", useTls: true, topicPrefix: "house/one", haDiscovery: false`;
    const args = `homeId: "${home.home.id}", name: "Second", host: "second.local", ${settings}`;
    const { data } = await ask(
      `mutation { addHomeMqttBroker(${args}) { id port useTls topicPrefix haDiscovery hasPassword } }`,
    );
    const { id, ...rest } = data.addHomeMqttBroker;
    expect(rest).toEqual({ port: 8883, useTls: true, topicPrefix: 'house/one', haDiscovery: false, hasPassword: true });
    const changed = await ask(
      `mutation { updateHomeMqttBroker(brokerId: "${id}", name: "Third", password: "") { name hasPassword } }`,
    );
    expect(changed.data.updateHomeMqttBroker).toEqual({ name: 'Third', hasPassword: false });
    const gone = await ask(`mutation { removeHomeMqttBroker(brokerId: "${id}") { success brokerId } }`);
    expect(gone.data.removeHomeMqttBroker).toEqual({ success: true, brokerId: id });
    const again = await ask(`mutation { removeHomeMqttBroker(brokerId: "${id}") { success code } }`);
    expect(again.data.removeHomeMqttBroker).toEqual({ success: false, code: 'broker_not_found' });
  });

  it('Passwords are never shown again', async () => {
    const answers = [
      await rest.get(path),
      await rest.get('/rest/homes'),
      await rest.post('/graphql', {
        query: `{ homeMqttBrokers(homeId: "${home.home.id}") { id name username hasPassword } }`,
      }),
      await rest.patch(path, { enabled: true }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(JSON.stringify(answers.map(({ body }) => body))).not.toContain(SECRET);
    const { data } = await ask('{ __type(name: "MqttBroker") { fields { name } } }');
    expect(data.__type.fields.map(({ name }: { name: string }) => name)).not.toContain('password');
  });

  it('A broker that can’t be reached is reported in a sentence', async () => {
    const [{ id }] = (await rest.get(path)).body.brokers;
    const { body } = await rest.post(`${path}/brokers/${id}/test`, {});
    expect(body).toEqual({ success: false, error: 'There is no network in this test.', responseTimeMs: null });
  });
});
