/** API §5.3: what may be asked without a bearer token, and that nothing else may. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createRestClient, createTestApi, type RestClient } from '../support/rest-client.ts';
import { createTestHome, systemCaller, type TestHome } from '../support/test-home.ts';

let home: TestHome;
let stranger: RestClient;

beforeEach(() => {
  home = createTestHome({ sample: true });
  stranger = createRestClient(createTestApi(home));
});
afterEach(() => home.close());

async function share(changes: object = {}): Promise<string> {
  const entity = { entityType: 'accessory', entityId: home.named('Lamp').id };
  const { shareHash } = await home.shares.create(systemCaller, {
    ...entity,
    accessType: 'public',
    role: 'control',
    ...changes,
  });
  return shareHash;
}

const graphql = (query: string) => stranger.post('/graphql', { query });

/** Every operation of the API for shares, as a stranger asks for it. @param extra further arguments */
const publicOperations = (hash: string, extra = ''): Readonly<Record<string, string>> => ({
  publicEntity: `{ result: publicEntity(shareHash: "${hash}"${extra}) { entityName } }`,
  publicEntityAccessories: `{ result: publicEntityAccessories(shareHash: "${hash}"${extra}) { name } }`,
  publicEntitySetCharacteristic: `mutation { result: publicEntitySetCharacteristic(shareHash: "${hash}", accessoryId: "${home.named('Lamp').id}", characteristicType: "on", value: true${extra}) { success } }`,
});

describe('API §5.3', () => {
  it('share links (`/s/{hash}...`) require no bearer token', async () => {
    const hash = await share();
    for (const path of ['', '/on', '/brightness/40', '/color/120/80', '/qr.svg']) {
      expect([path, (await stranger.get(`/s/${hash}${path}`)).status]).toEqual([path, 200]);
    }
  });

  it('the `publicEntity*` GraphQL operations require no bearer token', async () => {
    for (const [name, query] of Object.entries(publicOperations(await share()))) {
      const { status, body } = await graphql(query);
      expect([name, status, body.errors]).toEqual([name, 200, undefined]);
      expect(body.data.result).toBeTruthy();
    }
  });

  it('a passcode share needs the passcode', async () => {
    const hash = await share({ accessType: 'passcode', passcode: '493817' });
    expect((await stranger.get(`/s/${hash}`)).status).toBe(403);
    expect((await stranger.get(`/s/${hash}?passcode=493817`)).status).toBe(200);
    const shut = Object.values(publicOperations(hash));
    const answers = await Promise.all(shut.map(async (query) => (await graphql(query)).text));
    for (const text of answers) expect(text).not.toContain('"Lamp"');
    expect(home.driver.writes).toEqual([]);
    for (const [name, query] of Object.entries(publicOperations(hash, ', passcode: "493817"'))) {
      const { body } = await graphql(query);
      expect([name, body.errors]).toEqual([name, undefined]);
    }
    expect(home.driver.writes.flat()).toHaveLength(1);
  });

  it.each([
    'homes { id }',
    'accessories { id }',
    'sharingInfo(entityType: "home", entityId: "x") { isShared }',
    'authorizedApps { clientId }',
    'me { id }',
    '__schema { types { name } }',
  ])('anything else does: { %s }', async (field) => {
    const hash = await share();
    for (const query of [`{ ${field} }`, `{ publicEntity(shareHash: "${hash}") { role } ${field} }`]) {
      const { status, body } = await graphql(query);
      expect([status, body.data, body.errors[0].extensions.code]).toEqual([401, undefined, 'AUTHENTICATION_REQUIRED']);
    }
  });
});
