import type { HomeEvents } from '../../../home/events.ts';
import type { Presence } from '../../../home/presence.ts';
import type { Clock } from '../../../kernel/clock.ts';
import type { EventBus } from '../../../kernel/event-bus.ts';

type Person = ReturnType<Presence['people']>[number];

interface Parts {
  readonly homeId: string;
  /** Who is really there. */
  readonly presence: Presence;
  readonly bus: EventBus<HomeEvents>;
  readonly clock: Clock;
}

/** The people of the home in a dry run: where they are now, until the scenario says otherwise. */
export class SimulatedPeople implements Presence {
  readonly #parts: Parts;
  #people: readonly Person[];

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#people = parts.presence.people(parts.homeId);
  }

  people(homeId: string): readonly Person[] {
    return homeId === this.#parts.homeId ? this.#people : [];
  }

  /** Somebody comes home or leaves; nothing where that is so already. */
  set(personId: string, atHome: boolean): void {
    const before = this.#people.find(({ id }) => id === personId);
    if (!before || before.atHome === atHome) return;
    this.#people = this.#people.map((person) => (person.id === personId ? { ...person, atHome } : person));
    const { homeId, bus, clock } = this.#parts;
    bus.emit('presence.changed', {
      homeId,
      personId,
      atHome,
      anyoneHome: this.#people.some((person) => person.atHome === true),
      everyoneHome: this.#people.every((person) => person.atHome === true),
      at: clock.now(),
    });
  }

  /** Somebody's phone says where it is. */
  move(personId: string, place: { latitude: number; longitude: number; accuracyM: number }): void {
    const { homeId, bus, clock } = this.#parts;
    bus.emit('person.moved', { homeId, personId, ...place, at: clock.now() });
  }
}
