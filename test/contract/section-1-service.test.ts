/** API §1: what the service does. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createRestClient, createTestFace, createToken, type RestClient } from '../support/rest-client.ts';
import { createTestHome, type TestHome } from '../support/test-home.ts';

let home: TestHome;
let rest: RestClient;

beforeEach(() => {
  home = createTestHome({ sample: true });
  rest = createRestClient(createTestFace(home), createToken(home));
});

afterEach(() => home.close());

describe('API §1', () => {
  it('Devices (accessories) are organised as home > room > accessory > service > characteristic', async () => {
    const [{ id: homeId }] = (await rest.get('/rest/homes')).body;
    const rooms = (await rest.get(`/rest/rooms?home=${homeId}`)).body;
    const livingRoom = rooms.find(({ name }: { name: string }) => name === 'Living Room');
    const accessories = (await rest.get(`/rest/accessories?room=${livingRoom.id}`)).body;
    const lamp = accessories.find(({ name }: { name: string }) => name === 'Lamp');
    expect(lamp).toMatchObject({ homeId, roomId: livingRoom.id });
    const bulb = lamp.services.find(({ type }: { type: string }) => type === 'lightbulb');
    expect(bulb.characteristics).toContainEqual(expect.objectContaining({ type: 'brightness', value: 50 }));
  });

  it('When the relay of a home is offline, no device command for that home can be routed', async () => {
    home.registry.setConnected(home.home.id, false);
    const { status, headers, body } = await rest.post('/rest/state', {
      home: 'My Home',
      room: 'Living Room',
      accessory: 'Lamp',
      on: true,
    });
    expect(status).toBe(503);
    expect(headers.get('retry-after')).toMatch(/^\d+$/);
    expect(body).toEqual({ error: 'Relay not connected', code: 'relay_not_connected' });
    expect(home.driver.writes).toEqual([]);
  });

  it('reads go on while the relay is offline, from what was known last', async () => {
    home.registry.setConnected(home.home.id, false);
    expect((await rest.get('/rest/state')).status).toBe(200);
    expect((await rest.get('/rest/homes')).body[0].connected).toBe(false);
  });

  it('REST under /rest, a simplified interface for state', async () => {
    expect((await rest.get('/rest')).text).toBe((await rest.get('/rest/state')).text);
    expect((await rest.get('/rest/')).status).toBe(200);
  });
});
