/**
 * API §4.1, row by row from the document itself: every endpoint is served by its method and path, answers what the row
 * states, and is described in our own reference with every parameter and field that the row names. How they behave is
 * in the other files of §4.1.
 */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readApiDocument } from '../api/graphql/api-document.ts';
import { DOCUMENT as DOCUMENTED, operationOf } from '../api/openapi-document.ts';
import { createRestClient, createTestApi, createToken, type RestClient } from '../support/rest-client.ts';
import { createTestHome, systemCaller, type TestHome } from '../support/test-home.ts';

interface Row {
  readonly method: string;
  readonly path: string;
  readonly request: string;
  readonly response: string;
}

/** The text under a heading, up to the next one. */
function section(heading: string): string {
  const [, after = ''] = readApiDocument().split(`\n${heading}`);
  return after.split(/\n###/)[0] ?? '';
}

function readRows(): readonly Row[] {
  return [...section('### 4.1 REST\n').matchAll(/^\| (GET|POST|PATCH|DELETE) \| `([^`]+)` \| (.+) \| (.+) \|$/gm)].map(
    ([, method = '', path = '', request = '', response = '']) => ({ method, path, request, response }),
  );
}

const ROWS = readRows();
const isCloudOnly = ({ request, response, path }: Row): boolean =>
  /Cloud/.test(request + response) || path.startsWith('/rest/background');

let home: TestHome;
let rest: RestClient;

beforeEach(() => {
  home = createTestHome({ sample: true });
  rest = createRestClient(createTestApi(home), createToken(home));
});

afterEach(() => home.close());

interface Ask {
  readonly path: string;
  readonly body?: unknown;
}

/** One request a row that should do what the row states. A row that is not here fails. */
const ASKS: Readonly<Record<string, () => Ask>> = {
  'GET /rest/state': () => ({ path: '/rest/state?home=my_home&room=living&name=lamp&type=light' }),
  'POST /rest/state': () => ({
    path: '/rest/state',
    body: { home: 'My Home', room: 'Living Room', accessory: 'Lamp', on: true },
  }),
  'POST /rest/scene': () => ({ path: '/rest/scene', body: { home: homeKey(), name: createScene().name } }),
  'GET /rest/homes': () => ({ path: '/rest/homes' }),
  'GET /rest/accessories': () => {
    const { homeId, roomId } = home.named('Lamp');
    return { path: `/rest/accessories?home=${homeId}&room=${roomId}&type=light&name=lam` };
  },
  'GET /rest/accessories/:id': () => ({ path: `/rest/accessories/${home.named('Lamp').id}` }),
  'GET /rest/rooms': () => ({ path: `/rest/rooms?home=${home.home.id}` }),
  'GET /rest/history': () => ({ path: '/rest/history?accessory=Thermostat&home=My&hours=1&max_points=50' }),
  'GET /rest/scenes': () => ({ path: `/rest/scenes?home=${createScene().homeId}` }),
  'POST /rest/scenes': () => ({ path: '/rest/scenes', body: sceneOf('Evening') }),
  'PATCH /rest/scenes/:id': () => ({ path: `/rest/scenes/${createScene().id}`, body: { name: 'Night 2' } }),
  'POST /rest/scenes/:id/execute': () => ({ path: `/rest/scenes/${createScene().id}/execute` }),
  'DELETE /rest/scenes/:id': () => ({ path: `/rest/scenes/${createScene().id}` }),
  'GET /rest/background/presets': () => ({ path: '/rest/background/presets' }),
  'POST /rest/background': () => ({ path: '/rest/background' }),
  'DELETE /rest/background': () => ({ path: '/rest/background?filename=beach.jpg' }),
};

function homeKey(): string {
  return `my_home_${home.home.id.slice(-4)}`;
}

function sceneOf(name: string) {
  const { id } = home.named('Lamp');
  const action = { accessoryId: id, characteristicType: 'public.hap.characteristic.on', targetValue: true };
  return { homeId: home.home.id, name, actions: [action] };
}

function createScene() {
  return home.scenes.create(systemCaller, sceneOf('Movie 1'));
}

/** The names in a cell's `{a: …, b: …}` or `` `a`, `b` ``: fields of bodies and answers, parameters of queries. */
function namesIn(cell: string): readonly string[] {
  const [, braces] = /`\[?\{(.*)\}\]?`/.exec(cell) ?? [];
  if (braces !== undefined) return [...braces.matchAll(/(\w+)\??: /g)].map(([, name = '']) => name);
  return /^query/.test(cell) ? [...cell.matchAll(/`(\w+)`/g)].map(([, name = '']) => name) : [];
}

describe('the rows of API §4.1', () => {
  it('are read from the document, and each has a request here', () => {
    expect(ROWS.length).toBeGreaterThanOrEqual(16);
    expect(ROWS.map(({ method, path }) => `${method} ${path}`).sort()).toEqual(Object.keys(ASKS).sort());
  });

  it.each(ROWS.map((row) => [`${row.method} ${row.path}`, row] as const))(
    '%s answers as its row defines',
    async (name, row) => {
      const { path, body } = ASKS[name]?.() ?? { path: row.path };
      const answer = await rest.request(row.method, path, body);
      if (isCloudOnly(row)) {
        const error = 'Background images are available in the Cloud edition only';
        expect([answer.status, answer.body]).toEqual([404, { error, code: 'cloud_only' }]);
        return;
      }
      expect([answer.status, answer.text]).toEqual([200, expect.stringMatching(/^[[{]/)]);
      const [first] = Array.isArray(answer.body) ? answer.body : [answer.body];
      if (/^(array of )?`\{/.test(row.response)) {
        for (const field of namesIn(row.response)) expect(first).toHaveProperty(field);
      }
    },
  );

  it.each(ROWS.map((row) => [`${row.method} ${row.path}`, row] as const))(
    '%s is in the reference, with what its row names',
    (_, row) => {
      const operation = operationOf(row.method.toLowerCase(), row.path.replaceAll(/:(\w+)/g, '{$1}'));
      const described = JSON.stringify([operation.parameters, operation.requestBody]);
      for (const name of namesIn(row.request)) expect(described).toContain(`"${name}"`);
      if (isCloudOnly(row)) expect(Object.keys(operation.responses)).not.toContain('200');
    },
  );

  it('every settable property of §4.1.1 is described', () => {
    const cells = [...section('#### 4.1.1').matchAll(/^\| (`[^|]+`) \|/gm)].map(([, cell = '']) => cell);
    const properties = cells.flatMap((cell) => [...cell.matchAll(/`(\w+)`/g)].map(([, name]) => name));
    expect(properties.length).toBeGreaterThan(18);
    const { Settings, FlatSettings } = DOCUMENTED.components.schemas;
    expect(Object.keys(Settings.properties)).toEqual(expect.arrayContaining(properties));
    expect(Object.keys(FlatSettings.properties)).toEqual(expect.arrayContaining(properties));
  });

  it('every parameter of §4.1.2 is described, and required where the document requires it', () => {
    const rows = [...section('#### 4.1.2').matchAll(/^\| `(\w+)` \| (yes|no) \|/gm)];
    const parameters: { name: string; required: boolean }[] = operationOf('get', '/rest/history').parameters;
    expect(rows.map(([, name, required]) => [name, required === 'yes'])).toEqual(
      parameters.map(({ name, required }) => [name, required]),
    );
  });
});
