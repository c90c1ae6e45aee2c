/**
 * The two homes that callers are tried on: furnished alike with one of everything, in a relay that its founder has
 * claimed. Each caller is made when first asked for (`authorization-principals.ts`), and uses the whole HTTP API.
 */
import type { Hono } from 'hono';
import type { ApiEnv } from '../../src/api/env.ts';
import type { Caller } from '../../src/app/access/caller.ts';
import { HearthError } from '../../src/kernel/errors.ts';
import { NAMES, PLACES, type Place, type Worth } from './authorization-model.ts';
import type { FakeDevice } from './fake-driver.ts';
import { PNG } from './pictures.ts';
import { createTestApi } from './rest-client.ts';
import { lamp } from './sample-accessories.ts';
import { callerOf, createTestHome, systemCaller, type TestHome } from './test-home.ts';
import { anonymousCaller, CountingHasher } from './test-users.ts';

export const SETUP_CODE = '031-45-154';
/** Seen on the network, paired with nothing. */
export const UNPAIRED = 'CC:00:00:00:00:01';
export const NO_SUCH_ID = '00000000-0000-4000-8000-000000000000';
export const NO_SUCH_DEVICE = 'DD:00:00:00:00:01';
const DEVICES: Readonly<Record<Place, string>> = { own: 'AA:00:00:00:00:01', foreign: 'BB:00:00:00:00:01' };
export const PASSWORD = 'password of everybody';

/** A trigger that never fires while the tests run. */
export const TIMER = { type: 'timer', hour: 3, recurrenceType: 'daily' };
/** More than all callers together run a flow. */
const OPTIONS = { runsPerMinute: 100_000 };

/** An account with a session. */
export interface Account {
  readonly userId: string;
  readonly token: string;
  readonly caller: Caller;
}

/** How a request names its sender. */
export interface Credentials {
  readonly token?: string | undefined;
  readonly viaSocket?: true;
}

/** What all of them have in common. */
interface Furnished extends Pick<AuthorizationFixture, 'ids' | 'links' | 'elsewhere' | 'founder'> {
  readonly image: Buffer;
}

let first: Furnished | undefined;

export class AuthorizationFixture {
  readonly test: TestHome;
  readonly app: Hono<ApiEnv>;
  /** Ids of what each home has, by what it is. */
  readonly ids: Readonly<Record<Place, Readonly<Record<string, string>>>>;
  /** Links into each home: of its lamp, for everyone to control. A holder is in, so they are no ids. */
  readonly links: Readonly<Record<Place, string>>;
  /** Id of a home that has nothing in it. */
  readonly elsewhere: string;
  readonly #credentials = new Map<string, Credentials>();
  readonly #founder: Account;
  #otherUser: Account | undefined;

  private constructor(parts: Omit<Furnished, 'image'> & Pick<AuthorizationFixture, 'test' | 'app'>) {
    this.test = parts.test;
    this.app = parts.app;
    this.ids = parts.ids;
    this.links = parts.links;
    this.elsewhere = parts.elsewhere;
    this.#founder = parts.founder;
  }

  /** Furnished once in a process: the next ones open a copy of its database, as after a restart. */
  static async create(): Promise<AuthorizationFixture> {
    first ??= await AuthorizationFixture.#furnished();
    const { image, ids, ...parts } = first;
    const test = createTestHome({ ...OPTIONS, passwordHasher: new CountingHasher(), image });
    const { automations, flows } = test.automation.startables;
    for (const part of [automations, flows]) part.start();
    const begin = (place: Place) => {
      const { home = '', flow = '' } = ids[place];
      test.driver.attach(home, deviceOf(place));
      // It is refused, and so has a trace at once.
      const flowRun = test.flows.run(systemCaller, flow).runId;
      test.flows.setEnabled(systemCaller, flow, true);
      return { ...ids[place], flowRun };
    };
    const all = { own: begin('own'), foreign: begin('foreign') };
    test.driver.addDevice({ deviceId: UNPAIRED, name: 'New', setupCode: SETUP_CODE, accessories: [lamp('New')] });
    return new AuthorizationFixture({ ...parts, ids: all, test, app: createTestApi(test) });
  }

  static async #furnished(): Promise<Furnished> {
    const test = createTestHome({ ...OPTIONS, passwordHasher: new CountingHasher() });
    const { code: setupCode } = test.setupCodes.renew(systemCaller);
    const account = { email: 'founder@example.org', name: 'Founder', password: PASSWORD, setupCode };
    const { user, token } = await test.users.claim(anonymousCaller(), account);
    const caller = callerOf(await test.sessions.authenticate(token));
    test.userSettings.update(caller, { developerMode: true });
    const own = await furnish(test, 'own');
    const foreign = await furnish(test, 'foreign');
    const image = test.database.serialize();
    test.close();
    return {
      image,
      ids: { own: own.ids, foreign: foreign.ids },
      links: { own: own.link, foreign: foreign.link },
      elsewhere: test.home.id,
      founder: { userId: user.id, token, caller },
    };
  }

  get founder(): Account {
    return this.#founder;
  }

  close(): void {
    this.test.close();
  }

  /** This caller's credentials; made once. */
  async credentialsOf({ name, arrive }: { name: string; arrive(fixture: AuthorizationFixture): Promise<Credentials> }) {
    const known = this.#credentials.get(name);
    if (known) return known;
    const credentials = await arrive(this);
    this.#credentials.set(name, credentials);
    await this.#use(credentials);
    return credentials;
  }

  /** That it was used is noted once a minute: from here on, who only asks writes nothing. */
  async #use({ token }: Credentials): Promise<void> {
    if (token === undefined) return;
    try {
      await this.test.credentials.authenticate(token, 'mcp');
    } catch (error) {
      if (!(error instanceof HearthError)) throw error;
    }
  }

  /** A user with this role, signed in, with Developer Mode on. */
  async signIn(name: string, worth: Worth): Promise<Account> {
    const { users, sessions, userSettings } = this.test;
    const email = `${name.toLowerCase().replace(/[^a-z]+/g, '.')}@example.org`;
    const { id: userId } = await users.create(systemCaller, { email, name: 'Somebody', password: PASSWORD });
    this.setWorth(userId, worth);
    const { token } = await users.logIn(anonymousCaller(), { email, password: PASSWORD });
    const caller = callerOf(await sessions.authenticate(token));
    userSettings.update(caller, { developerMode: true });
    return { userId, token, caller };
  }

  /** Of whom none of those who come is. */
  async otherUser(): Promise<Account> {
    this.#otherUser ??= await this.signIn('Somebody else', { own: 'control' });
    return this.#otherUser;
  }

  setWorth(userId: string, worth: Worth): void {
    const { members, access } = this.test;
    const person = callerOf({ kind: 'user', userId, sessionId: '' });
    for (const place of PLACES) {
      const { home: homeId = '' } = this.ids[place];
      const role = worth[place];
      if (role) members.give(homeId, userId, role);
      else if (access.roleIn(person, homeId)) members.remove(systemCaller, { homeId, memberId: userId });
    }
  }

  /** How many rows were ever written: what is refused writes none. */
  writes(): number {
    return (this.test.database.prepare('SELECT total_changes() AS count').get() as { count: number }).count;
  }
}

async function furnish(test: TestHome, place: Place): Promise<{ ids: Readonly<Record<string, string>>; link: string }> {
  const names = NAMES[place];
  const named = (what: string): string => `${what} ${names.thing}`;
  const homeId = test.homes.create(systemCaller, { name: names.home }).id;
  const room = test.rooms.create(systemCaller, { homeId, name: names.room }).id;
  test.homes.setPicture(systemCaller, homeId, PNG);
  test.rooms.setPicture(systemCaller, room, PNG);
  test.driver.attach(homeId, deviceOf(place));
  const { id: accessory } = test.named(names.accessory);
  test.accessories.update(systemCaller, accessory, { roomId: room });
  const actions = [{ accessoryId: accessory, characteristicType: 'on', targetValue: true }];
  const flow = test.flows.save(systemCaller, {
    homeId,
    data: { name: named('Flow'), enabled: false, mode: 'parallel', triggers: [], actions: [] },
  });
  const set = { homeId, roomIds: [room] };
  test.history.updateHome(systemCaller, homeId, { enabled: true, shared: true });
  const forAll = { accessType: 'public', role: 'control' };
  const { share, shareHash } = await test.shares.create(systemCaller, {
    entityType: 'accessory',
    entityId: accessory,
    ...forAll,
  });
  const ids = {
    home: homeId,
    room,
    accessory,
    device: DEVICES[place],
    scene: test.scenes.create(systemCaller, { homeId, name: named('Scene'), actions }).id,
    automation: test.automations.create(systemCaller, { homeId, name: named('Automation'), trigger: TIMER, actions })
      .id,
    flow: flow.id,
    flowVersion: test.flows.versions(systemCaller, flow.id)[0]?.id ?? '',
    group: test.serviceGroups.create(systemCaller, { homeId, name: named('Group'), accessoryIds: [accessory] }).id,
    zone: test.zones.create(systemCaller, { ...set, name: named('Zone') }).id,
    roomGroup: test.roomGroups.create(systemCaller, { ...set, name: named('Room group') }).id,
    virtual: test.virtuals.create(systemCaller, { homeId, name: named('Mode'), type: 'mode', roomId: room }).id,
    counter: test.virtuals.create(systemCaller, { homeId, name: named('Counter'), type: 'counter', roomId: room }).id,
    person: test.people.create(systemCaller, { homeId, name: named('Person') }).id,
    invited: test.members.invite(systemCaller, { homeId, email: guestOf(place), role: 'view' }).member.id,
    share: share.id,
    broker: test.brokers.add(systemCaller, homeId, { name: named('Broker'), host: 'broker.local' }).id,
    publication: (await test.publications.create(systemCaller, { homeId, name: named('Publication'), kind: 'homekit' }))
      .id,
  };
  test.database
    .prepare(
      `INSERT INTO homekit_controllers SELECT id, 'phone', zeroblob(32), 1, 1, NULL FROM homekit_bridges
       WHERE publication_id = ?`,
    )
    .run(ids.publication);
  return { ids, link: shareHash };
}

function deviceOf(place: Place): FakeDevice {
  const accessories = [lamp(NAMES[place].accessory)];
  return { deviceId: DEVICES[place], name: 'Device', setupCode: SETUP_CODE, accessories };
}

/** Who is invited to a home, and has no account. */
export function guestOf(place: Place): string {
  return `guest@${place}.example`;
}
