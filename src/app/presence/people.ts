/**
 * People and their presence, as operations. Positions come from phones or from `setPresence`. Presence derives from the
 * home's location and radius, or is set directly. Automations react to `presence.changed` and `person.moved`.
 */
import { parseInput } from '../../contract/parse.ts';
import { NewPerson, PersonChanges, PresenceReport } from '../../contract/people.ts';
import { compareNamed } from '../../home/collection.ts';
import { isInside } from '../../home/geo.ts';
import type { Home } from '../../home/model.ts';
import { nameKey, parseName, requireFreeName } from '../../home/names.ts';
import type { Presence } from '../../home/presence.ts';
import { HearthError } from '../../kernel/errors.ts';
import { newId } from '../../kernel/ids.ts';
import type { Startable } from '../../kernel/lifecycle.ts';
import type { AppDeps } from '../access/app-deps.ts';
import { type AccessLevel, insufficientPermissions, notFound, type RoleSource } from '../access/authorize.ts';
import { type Caller, ownerOf } from '../access/caller.ts';
import type { PeopleStore } from './people-store.ts';
import { type Person, parseFix, type TimedFix } from './person.ts';

/** A larger number indicates a faulty client. */
const MAX_PEOPLE = 100;

interface PeopleDeps extends AppDeps<'state' | 'access' | 'bus' | 'clock'> {
  readonly store: PeopleStore;
  /** The accounts that belong to a home. */
  readonly memberRoles: RoleSource;
}

export class People implements Startable, Presence {
  readonly #deps: PeopleDeps;
  readonly #people = new Map<string, Person>();
  #unsubscribe: (() => void)[] = [];

  constructor(deps: PeopleDeps) {
    this.#deps = deps;
  }

  /** Call after the layout is loaded and before any request. */
  start(): void {
    for (const person of this.#deps.store.load()) this.#people.set(person.id, person);
    const { bus, state } = this.#deps;
    // An account may have been deleted just before the relay stopped.
    for (const { id } of state.homes()) this.#unlinkStrangers(id);
    this.#unsubscribe = [
      bus.on('layout.changed', ({ homeId }) => this.#forgetHome(homeId)),
      bus.on('members.changed', ({ homeId }) => this.#unlinkStrangers(homeId)),
    ];
  }

  stop(): void {
    for (const unsubscribe of this.#unsubscribe) unsubscribe();
    this.#unsubscribe = [];
    this.#people.clear();
  }

  /** By name, with their accounts. The caller must already be authorized for the home. */
  people(homeId: string): readonly Person[] {
    return [...this.#people.values()].filter((person) => person.homeId === homeId).sort(compareNamed);
  }

  /** The people of one home, or of every home that the caller may view, by home and name. @throws `home_not_found` */
  list(caller: Caller, homeId?: string): readonly Person[] {
    const { access, state } = this.#deps;
    const homes =
      homeId === undefined
        ? access.visibleHomes(caller, state.homes())
        : [this.#authorizedHome(caller, 'view', homeId)];
    return homes.flatMap(({ id }) => this.people(id)).map((person) => this.#shownTo(caller, person));
  }

  /** Requires view access to the home. @throws `person_not_found` */
  get(caller: Caller, id: string): Person {
    return this.#shownTo(caller, this.#authorized(caller, 'view', id));
  }

  /**
   * Adds a person with unknown presence, and links the account if one is given. Requires an admin of the home.
   * @throws `home_not_found` · `insufficient_permissions` · `invalid_value` the name · `user_not_found` not a member of
   *         the home · `conflict` another person has the name or the account, or there are too many
   */
  create(caller: Caller, input: NewPerson): Person {
    const { id: homeId } = this.#authorizedHome(caller, 'manage', input.homeId);
    const others = this.people(homeId);
    const { name, userId = null } = parseInput(NewPerson, input);
    requireFreeName(name, 'person', others);
    if (others.length >= MAX_PEOPLE)
      throw new HearthError('conflict', `A home has at most ${MAX_PEOPLE} people.`, { reason: 'limit_reached' });
    const id = newId();
    const account = this.#parseAccount(userId, { id, homeId });
    const createdAt = this.#deps.clock.now();
    return this.#save({ id, homeId, name, userId: account, atHome: null, changedAt: null, fix: null, createdAt });
  }

  /**
   * Renames a person, links or unlinks (`null`) an account, or both, atomically. Requires an admin of the home.
   * @throws `person_not_found` · `insufficient_permissions` · `invalid_value` the name · `user_not_found` not a member
   *         of the home · `conflict` another person has the name or the account
   */
  update(caller: Caller, id: string, changes: PersonChanges): Person {
    const person = this.#authorized(caller, 'manage', id);
    const { name = person.name, userId = person.userId } = parseInput(PersonChanges, changes);
    requireFreeName(name, 'person', this.people(person.homeId), person.id);
    return this.#save({ ...person, name, userId: this.#parseAccount(userId, person) });
  }

  /** Renames a person. As `update`. */
  rename(caller: Caller, id: string, name: string): Person {
    return this.update(caller, id, { name });
  }

  /** Links a person to an account. As `update`. */
  link(caller: Caller, id: string, userId: string | null): Person {
    return this.update(caller, id, { userId });
  }

  /** Requires an admin of the home. @throws `person_not_found` · `insufficient_permissions` */
  delete(caller: Caller, id: string): void {
    const person = this.#authorized(caller, 'manage', id);
    this.#deps.store.delete(person.id);
    this.#people.delete(person.id);
    // Listeners get the same event as when the person leaves the home.
    if (person.atHome === true) this.#announce(person, false);
  }

  /**
   * Sets a person's presence or position. Requires control access to the home.
   * @returns the updated person.
   * @throws `person_not_found` · `insufficient_permissions` · `invalid_request` neither or both are given ·
   *         `invalid_value` naming the field
   */
  setPresence(caller: Caller, id: string, report: PresenceReport): Person {
    const person = this.#authorized(caller, 'control', id);
    const { atHome, ...fix } = parseInput(PresenceReport, report);
    const { latitude, longitude } = fix;
    const isLocated = latitude !== undefined || longitude !== undefined;
    if (isLocated === (atHome !== undefined)) {
      throw new HearthError('invalid_request', 'Give either atHome, or latitude and longitude.');
    }
    const changed =
      atHome === undefined ? this.#locate(person, parseFix(fix, this.#deps.clock.now())) : this.#settle(person, atHome);
    return this.#shownTo(caller, changed);
  }

  /**
   * Applies a phone's report to every person of this name in the homes that the caller may control. In a home that the
   * caller may manage, a new name creates a person. A report older than the last one changes nothing.
   * @param report degrees, metres; `at`: its time in milliseconds since the epoch. A future or missing time counts as
   *   now.
   * @returns the people of this name.
   * @throws `person_not_found` no person has this name · `insufficient_permissions` · `invalid_value`
   */
  report(
    caller: Caller,
    input: { readonly name: string; readonly homeId?: string | undefined },
    report: {
      readonly latitude: unknown;
      readonly longitude: unknown;
      readonly accuracy?: unknown;
      readonly at: number;
    },
  ): readonly Person[] {
    const now = this.#deps.clock.now();
    const fix = parseFix(report, report.at >= 0 && report.at <= now ? Math.round(report.at) : now);
    return this.#named(caller, input).map((person) => this.#shownTo(caller, this.#locate(person, fix)));
  }

  // — effects —

  #locate(person: Person, fix: TimedFix): Person {
    if (person.fix !== null && this.#isOlder(fix, person.fix)) return person;
    const { location } = this.#deps.state.home(person.homeId) ?? { location: null };
    const moved = { ...person, fix };
    const atHome = location === null ? person.atHome : isInside(location, fix, person.atHome);
    const saved = atHome === null || atHome === person.atHome ? this.#save(moved) : this.#settle(moved, atHome);
    const { latitude, longitude, accuracyM, at } = fix;
    const { homeId, id: personId } = person;
    this.#deps.bus.emit('person.moved', { homeId, personId, latitude, longitude, accuracyM, at });
    return saved;
  }

  /** A fix with a future time, from before the relay's clock was corrected, counts as the oldest. */
  #isOlder(fix: TimedFix, before: TimedFix): boolean {
    return fix.at < before.at && before.at <= this.#deps.clock.now();
  }

  #settle(person: Person, atHome: boolean): Person {
    if (person.atHome === atHome) return this.#save(person);
    const saved = this.#save({ ...person, atHome, changedAt: this.#deps.clock.now() });
    this.#announce(saved, atHome);
    return saved;
  }

  #announce({ id: personId, homeId }: Person, atHome: boolean): void {
    const all = this.people(homeId);
    this.#deps.bus.emit('presence.changed', {
      homeId,
      personId,
      atHome,
      anyoneHome: all.some((one) => one.atHome === true),
      everyoneHome: all.length > 0 && all.every((one) => one.atHome === true),
      at: this.#deps.clock.now(),
    });
  }

  #save(person: Person): Person {
    this.#deps.store.save(person);
    this.#people.set(person.id, person);
    return person;
  }

  /** The database already deletes a home's people with the home. */
  #forgetHome(homeId: string): void {
    if (this.#deps.state.home(homeId)) return;
    for (const person of this.people(homeId)) this.#people.delete(person.id);
  }

  /** @returns the id of a member who is no other person of the home. @throws `user_not_found` · `conflict` */
  #parseAccount(given: string | null, { id, homeId }: Pick<Person, 'id' | 'homeId'>): string | null {
    if (given === null) return null;
    const userId = given.toLowerCase();
    if (this.#deps.memberRoles.roleOf(userId, homeId) === undefined) {
      throw new HearthError('user_not_found', 'This account is not a member of the home.', { field: 'userId' });
    }
    const other = this.people(homeId).find((one) => one.userId === userId && one.id !== id);
    if (!other) return userId;
    throw new HearthError('conflict', `${other.name} has this account already.`, {
      reason: 'account_taken',
      field: 'userId',
    });
  }

  /** Who may not see the members of the home sees no account but their own. */
  #shownTo(caller: Caller, person: Person): Person {
    const isOwn = person.userId === ownerOf(caller);
    return isOwn || this.#deps.access.mayIn(caller, 'manage', person.homeId) ? person : { ...person, userId: null };
  }

  /** A person who left the home or whose account was deleted stays as a person without an account. */
  #unlinkStrangers(homeId: string): void {
    for (const person of this.people(homeId)) {
      const isStranger = person.userId !== null && !this.#deps.memberRoles.roleOf(person.userId, homeId);
      if (isStranger) this.#save({ ...person, userId: null });
    }
  }

  #named(caller: Caller, input: { readonly name: string; readonly homeId?: string | undefined }): readonly Person[] {
    const { access, state } = this.#deps;
    const name = parseName(input.name, 'Name');
    const homes =
      input.homeId === undefined
        ? access.visibleHomes(caller, state.homes())
        : [this.#authorizedHome(caller, 'view', input.homeId)];
    const key = nameKey(name);
    const known = homes.flatMap(({ id }) => this.people(id)).filter((person) => nameKey(person.name) === key);
    const own = known.filter(({ homeId }) => access.mayIn(caller, 'control', homeId));
    if (own.length > 0) return own;
    if (known.length > 0) throw insufficientPermissions();
    const [home] = homes.filter(({ id }) => access.mayIn(caller, 'manage', id));
    if (home) return [this.create(caller, { homeId: home.id, name })];
    throw new HearthError(
      'person_not_found',
      `There is no person called ${name}: add them first (hearthd person add).`,
    );
  }

  #authorizedHome(caller: Caller, action: AccessLevel, id: string): Home {
    return this.#deps.access.authorizeHome(caller, action, this.#deps.state.home(id));
  }

  #authorized(caller: Caller, action: AccessLevel, id: string): Person {
    const person = this.#people.get(id.toLowerCase());
    if (!person) throw notFound('person_not_found');
    return this.#deps.access.authorizeIn(caller, action, person, 'person_not_found');
  }
}
