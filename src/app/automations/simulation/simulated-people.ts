import type { HomeDeps } from '../../../home/home-deps.ts';
import type { Presence } from '../../../home/presence.ts';

type PresentPerson = ReturnType<Presence['people']>[number];

interface Deps extends HomeDeps<'bus' | 'clock'> {
  readonly homeId: string;
  /** The real presence. */
  readonly presence: Presence;
}

/** The people of the home in a dry run: at their real locations until the scenario changes them. */
export class SimulatedPeople implements Presence {
  readonly #deps: Deps;
  #people: readonly PresentPerson[];

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#people = deps.presence.people(deps.homeId);
  }

  people(homeId: string): readonly PresentPerson[] {
    return homeId === this.#deps.homeId ? this.#people : [];
  }

  /** A person arrives or leaves; does nothing if the presence is unchanged. */
  set(personId: string, atHome: boolean): void {
    const before = this.#people.find(({ id }) => id === personId);
    if (!before || before.atHome === atHome) return;
    this.#people = this.#people.map((person) => (person.id === personId ? { ...person, atHome } : person));
    const { homeId, bus, clock } = this.#deps;
    bus.emit('presence.changed', {
      homeId,
      personId,
      atHome,
      anyoneHome: this.#people.some((person) => person.atHome === true),
      everyoneHome: this.#people.every((person) => person.atHome === true),
      at: clock.now(),
    });
  }

  /** A person's phone reports its position. */
  move(personId: string, place: { latitude: number; longitude: number; accuracyM: number }): void {
    const { homeId, bus, clock } = this.#deps;
    bus.emit('person.moved', { homeId, personId, ...place, at: clock.now() });
  }
}
