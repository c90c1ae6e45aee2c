/** Decisions §7, the sentences on GraphQL: each code that there is a cause for, and where failures are reported. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { HomePermissions } from '../../src/app/access/caller.ts';
import { type ErrorCode, HearthError } from '../../src/kernel/errors.ts';
import { createRestClient, createTestApi, createToken } from '../support/rest-client.ts';
import { createTestHome, type TestHome } from '../support/test-home.ts';

const LAMP = '10:00:00:00:00:01';

let home: TestHome;

beforeEach(() => {
  home = createTestHome({ sample: true });
});
afterEach(() => home.close());

async function ask(query: string, variables: object = {}, permissions: HomePermissions = null) {
  const client = createRestClient(createTestApi(home), createToken(home, permissions));
  return (await client.post('/graphql', { query, variables })).body;
}

/** A query whose only answer is the device driver's; here it reports a failure. */
function failing(code: ErrorCode) {
  home.driver.listControllers = async () => {
    throw new HearthError(code, 'A sentence for people', { retryAfterSeconds: 5 });
  };
  return ask(`{ controllers(deviceId: "${LAMP}") { id } }`);
}

describe('decisions §7: GraphQL errors carry `extensions.code`', () => {
  it.each([
    ['invalid_token', 'AUTHENTICATION_REQUIRED'],
    ['insufficient_permissions', 'FORBIDDEN'],
    ['accessory_not_found', 'NOT_FOUND'],
    ['invalid_value', 'INVALID_VALUE'],
    ['invalid_request', 'BAD_USER_INPUT'],
    ['relay_not_connected', 'RELAY_NOT_CONNECTED'],
    ['cloud_only', 'CLOUD_ONLY'],
    ['rate_limited', 'RATE_LIMITED'],
    ['internal', 'INTERNAL'],
  ] as const)('%s is %s, with the sentence and our own word', async (reason, code) => {
    const { data, errors } = await failing(reason);
    expect(data).toEqual({ controllers: null });
    expect(errors).toHaveLength(1);
    expect(errors[0]).toMatchObject({ path: ['controllers'], extensions: { code, reason } });
    // An unexpected failure reveals nothing.
    expect(errors[0].message === 'A sentence for people').toBe(reason !== 'internal');
  });

  it('RELAY_NOT_CONNECTED of a paused home is reported in the result of a write', async () => {
    home.registry.setConnected(home.home.id, false);
    const query =
      'mutation($a:String!){setCharacteristic(accessoryId:$a,characteristicType:"on",value:true){success error code}}';
    expect(await ask(query, { a: home.named('Lamp').id })).toEqual({
      data: { setCharacteristic: { success: false, error: 'Relay not connected', code: 'relay_not_connected' } },
    });
  });
});

describe('decisions §7: mutations whose result type has `success`/`error`', () => {
  /** Calls with a cause to fail that was to be expected, by root field. */
  const EXPECTED: Readonly<Record<string, string>> = {
    setCharacteristic: 'accessoryId:"{lamp}",characteristicType:"brightness",value:"900"',
    setServiceGroup:
      'homeId:"{home}",groupId:"00000000-0000-4000-8000-000000000000",characteristicType:"on",value:"true"',
    executeScene: 'sceneId:"00000000-0000-4000-8000-000000000000"',
    deleteScene: 'sceneId:"00000000-0000-4000-8000-000000000000"',
    createAccessToken: 'name:""',
    revokeAccessToken: 'tokenId:"00000000-0000-4000-8000-000000000000"',
    pairAccessory: 'device:"AA:BB:CC:DD:EE:FF",setupCode:"031-45-154"',
    unpairAccessory: 'deviceId:"AA:BB:CC:DD:EE:FF"',
    identifyAccessory: 'accessoryId:"00000000-0000-4000-8000-000000000000"',
    deleteHome: 'homeId:"{home}"',
  };

  it.each(Object.entries(EXPECTED))('report expected failures there: %s', async (field, args) => {
    const filled = args.replaceAll('{home}', home.home.id).replaceAll('{lamp}', home.named('Lamp').id);
    const { data, errors } = await ask(`mutation{${field}(${filled}){success error code}}`);
    expect(errors).toBeUndefined();
    const [sentence, word] = [expect.stringMatching(/\w/), expect.stringMatching(/^[a-z_]+$/)];
    expect(data[field]).toMatchObject({ success: false, error: sentence, code: word });
  });

  it('give the code in errors[].extensions only for authentication and authorization', async () => {
    const query = 'mutation($a:String!){setCharacteristic(accessoryId:$a,characteristicType:"on",value:true){success}}';
    const { data, errors } = await ask(query, { a: home.named('Lamp').id }, { [home.home.id]: 'view' });
    expect(data).toEqual({ setCharacteristic: null });
    expect(errors[0].extensions.code).toBe('FORBIDDEN');
  });
});
