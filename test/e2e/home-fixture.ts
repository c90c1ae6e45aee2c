/**
 * A furnished relay for tests that try to break a home: two homes, one of everything that people make, and a view of
 * all that is kept.
 */
import { openSqlite } from '../../src/storage/sqlite.ts';
import { type Answer, type E2eOptions, E2eRelay } from '../support/e2e-relay.ts';

/** Set as a side effect of being asked, not by what is asked. */
const VOLATILE: Readonly<Record<string, readonly string[]>> = { access_tokens: ['last_used_at'] };
/** Of the devices' own making. */
const UNKEPT = new Set(['last_values', 'accessory_databases', 'device_limits']);

/** The id of nothing. */
export const NO_CALLER = '00000000-0000-4000-8000-000000000000';

/** Stacks, paths and SQL are for the log. */
export const INSIDES =
  /\bat .+:\d+:\d+|node_modules|\/src\/|\.ts\b|SQLITE|SELECT |INSERT |TypeError|RangeError|undefined|\[object/;

export interface Furnished {
  readonly homeId: string;
  readonly otherHomeId: string;
  readonly roomId: string;
  readonly lever: string;
  readonly switchId: string;
  readonly number: string;
  readonly timer: string;
  readonly readOnly: string;
  readonly foreign: string;
  readonly foreignScene: string;
  readonly foreignGroup: string;
  readonly foreignZone: string;
  readonly foreignRoom: string;
  readonly scene: string;
  readonly group: string;
  readonly zone: string;
  readonly roomGroup: string;
  readonly collection: string;
  /** Admin of the first home's things only, by REST and GraphQL: what is in the other home is not there for it. */
  readonly limitedToken: string;
}

export type Asked = Answer & { readonly text: string; readonly headers: Headers };

export async function startFurnished(options: E2eOptions = {}): Promise<{ relay: E2eRelay; demoHome: Furnished }> {
  const relay = await E2eRelay.start(options);
  return { relay, demoHome: await furnish(relay) };
}

export async function furnish(relay: E2eRelay): Promise<Furnished> {
  const make = async (path: string, body: object): Promise<string> => {
    const answer = await relay.asSystem('POST', path, body);
    if (answer.status !== 200) throw new Error(`${path}: ${JSON.stringify(answer.body)}`);
    return answer.body.id as string;
  };
  const homeId = (await relay.get('/rest/homes')).body[0].id as string;
  const otherHomeId = await make('/rest/homes', { name: 'Elsewhere' });
  const roomId = await make('/rest/rooms', { homeId, name: 'Hall' });
  const foreignRoom = await make('/rest/rooms', { homeId: otherHomeId, name: 'Cellar' });
  const virtual = (home: string, name: string, type: string, more: object = {}): Promise<string> =>
    make('/rest/virtual-accessories', { homeId: home, name, type, ...more });
  const lever = await virtual(homeId, 'Lever', 'input_boolean');
  const switchId = await virtual(homeId, 'Switch', 'input_boolean');
  const number = await virtual(homeId, 'Level', 'input_number', { min: 0, max: 100, step: 1 });
  const timer = await virtual(homeId, 'Egg', 'timer', { duration: 60 });
  const readOnly = await virtual(homeId, 'Sealed', 'input_boolean', { controllable: false });
  const foreign = await virtual(otherHomeId, 'Far Lever', 'input_boolean');
  const scene = await make('/rest/scenes', {
    homeId,
    name: 'Evening',
    actions: [
      { accessoryId: lever, characteristicType: 'on', targetValue: true },
      { accessoryId: number, characteristicType: 'virtual_number', targetValue: 40 },
    ],
  });
  const foreignScene = await make('/rest/scenes', {
    homeId: otherHomeId,
    name: 'Far Evening',
    actions: [{ accessoryId: foreign, characteristicType: 'on', targetValue: true }],
  });
  const group = await make('/rest/service-groups', { homeId, name: 'Levers', accessoryIds: [lever, switchId] });
  const foreignGroup = await make('/rest/service-groups', {
    homeId: otherHomeId,
    name: 'Far Levers',
    accessoryIds: [foreign],
  });
  const zone = await make('/rest/zones', { homeId, name: 'Ground Floor', roomIds: [roomId] });
  const foreignZone = await make('/rest/zones', { homeId: otherHomeId, name: 'Far Floor', roomIds: [foreignRoom] });
  const roomGroup = await make('/rest/room-groups', { homeId, name: 'Dark Rooms', roomIds: [roomId] });
  const collection = await make('/rest/collections', {
    name: 'Favourites',
    payload: { groups: [], items: [{ home_id: homeId, accessory_id: lever }] },
  });
  const limited = await relay.asSystem('POST', '/rest/tokens', {
    name: 'limited',
    homePermissions: { [homeId]: 'control' },
  });
  return {
    homeId,
    otherHomeId,
    roomId,
    lever,
    switchId,
    number,
    timer,
    readOnly,
    foreign,
    foreignScene,
    foreignGroup,
    foreignZone,
    foreignRoom,
    scene,
    group,
    zone,
    roomGroup,
    collection,
    limitedToken: limited.body.token,
  };
}

/** All that the daemon keeps and shows, but for what devices report by themselves. */
export async function wholeState(relay: E2eRelay): Promise<object> {
  const lists = ['homes', 'accessories', 'scenes', 'service-groups', 'zones', 'room-groups', 'collections', 'tokens'];
  const shown = await Promise.all(
    lists.map(async (list) => [list, (await relay.asSystem('GET', `/rest/${list}`)).body]),
  );
  const { body: state } = await relay.asSystem('GET', '/rest/state');
  return {
    kept: keptIn(relay.directory.file('relay.db')),
    shown: Object.fromEntries(shown.map(([list, items]) => [list, items.map(withoutTimes)])),
    state: JSON.parse(JSON.stringify(state, (key, value) => (key === '_meta' ? undefined : value))),
  };
}

/** Every row of every table. */
export function keptIn(path: string): Record<string, unknown> {
  const database = openSqlite(path, { readonly: true });
  try {
    const tables = database.prepare(`SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name`).pluck().all();
    const rowsOf = (table: string): readonly unknown[] => {
      const hidden = VOLATILE[table] ?? [];
      const rows = database.prepare<[], Record<string, unknown>>(`SELECT * FROM "${table}"`).all();
      return rows.map((row) => Object.fromEntries(Object.entries(row).filter(([column]) => !hidden.includes(column))));
    };
    const kept = (tables as string[]).filter((table) => !table.startsWith('sqlite_') && !UNKEPT.has(table));
    return Object.fromEntries(kept.map((table) => [table, rowsOf(table)]));
  } finally {
    database.close();
  }
}

/** @returns the findings of SQLite and the foreign keys in a database: `[]` if all is well. */
export function faultsOf(path: string): readonly unknown[] {
  const database = openSqlite(path, { readonly: true });
  try {
    const checked = database.prepare('PRAGMA integrity_check').pluck().all();
    return [...checked.filter((line) => line !== 'ok'), ...database.prepare('PRAGMA foreign_key_check').all()];
  } finally {
    database.close();
  }
}

/** Places that are free at a time. */
class Places {
  readonly #waiting: (() => void)[] = [];
  #free: number;

  constructor(count: number) {
    this.#free = count;
  }

  async take(): Promise<void> {
    if (this.#free > 0) this.#free -= 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  giveBack(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#free += 1;
  }
}

/** The relay closes connections beyond 256, also those whose request is on its way. */
const free = new Places(200);

/** A request with any body at all, as the token's bearer. */
export async function ask(
  relay: E2eRelay,
  method: string,
  path: string,
  body?: unknown,
  { token = relay.token, headers = {} }: { token?: string; headers?: Record<string, string> } = {},
): Promise<Asked> {
  await free.take();
  try {
    const response = await fetch(new URL(path, relay.url), {
      method,
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json', ...headers },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, text, headers: response.headers, body: parse(text) };
  } finally {
    free.giveBack();
  }
}

export function graphql(
  relay: E2eRelay,
  query: string,
  variables: object = {},
  options: { token?: string } = {},
): Promise<Asked> {
  return ask(relay, 'POST', '/graphql', { query, variables }, options);
}

// biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects, and fails if it is not there.
function parse(text: string): any {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A timer's rest and an accessory's last sign of life move by themselves. */
/** Of scenes in a home that records nothing, the last run is known until the next start. */
function withoutTimes(item: object): object {
  const moving = new Set(['lastSeenAt', 'virtualRemainingMs', 'lastUsedAt', 'lastRun']);
  return Object.fromEntries(Object.entries(item).filter(([key]) => !moving.has(key)));
}

/** Names that no thing may have; those of scenes must end with a letter or a number as well. */
export const BAD_NAMES: readonly (readonly [what: string, name: unknown])[] = [
  ['empty', ''],
  ['blank', '   '],
  ['a zero-width character', '\u200b\u200d'],
  ['too long', 'x'.repeat(65)],
  ['a megabyte but for a little', 'x'.repeat(1_000_000)],
  ['a line break', 'a\nb'],
  ['NUL', 'a\u0000b'],
  ['an escape sequence', '\u001b[31mred'],
  ['half a surrogate pair', 'a\ud800b'],
  ['a line separator', 'a\u2028b'],
  ['null', null],
  ['a number', 7],
  ['a list', ['a']],
  ['an object', { toString: 'a' }],
];

/** A request that is to be refused. */
export interface Case {
  readonly what: string;
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
  readonly status: number | readonly number[];
  readonly code?: string;
  readonly message?: RegExp;
}

/** @returns what is wrong with the answer; `undefined` if it is a clear refusal. */
function judge(answer: Asked, { status, code, message }: Case): string | undefined {
  const { body } = answer;
  const wanted = Array.isArray(status) ? status : [status];
  if (!wanted.includes(answer.status)) return `${answer.status} ${answer.text.slice(0, 300)}`;
  if (answer.status === 200) return undefined;
  if (typeof body?.error !== 'string' || typeof body.code !== 'string')
    return `no error shape: ${answer.text.slice(0, 200)}`;
  if (code !== undefined && body.code !== code) return `code ${body.code}: ${body.error}`;
  if (message && !message.test(body.error)) return `says ${body.error}`;
  if (answer.text.length > 1_000) return `says too much: ${answer.text.length} characters`;
  return INSIDES.test(answer.text) ? `tells of the inside: ${answer.text}` : undefined;
}

/**
 * Sends each, and looks at all that is kept and shown after it. @returns what was wrong: `[]` if each was refused and
 * changed nothing.
 */
export async function refuse(relay: E2eRelay, cases: readonly Case[]): Promise<readonly string[]> {
  const wrong: string[] = [];
  const before = JSON.stringify(await wholeState(relay));
  for (const one of cases) {
    const answer = await ask(relay, one.method, one.path, one.body);
    const fault = judge(answer, one);
    if (fault) wrong.push(`${one.what}: ${fault}`);
    if (JSON.stringify(await wholeState(relay)) === before) continue;
    return [...wrong, `${one.what}: something was done`];
  }
  return wrong;
}
