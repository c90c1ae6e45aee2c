import { isInside } from '../../../home/geo.ts';
import { invalid } from '../parsing/faults.ts';
import { optional, withDefault } from '../parsing/field.ts';
import { flag, numeric, PERSON_IDS } from '../parsing/field-kinds.ts';
import { capitalized, peopleWords } from '../words.ts';
import type { Hold } from './hold-store.ts';
import { triggerKind } from './trigger-kind.ts';

/** About half the circumference of the Earth: a larger circle has no outside. */
const MAX_RADIUS_M = 20_000_000;

/** Never due: the row only stores data. */
const NOT_DUE = Number.MAX_SAFE_INTEGER;

/**
 * A person crossed the edge of a circle. A position that may be on either side changes nothing, and the first position
 * of a person only sets the side. The sides survive restarts. Nothing fires while the home's location is unset: the
 * home platform treats such automations as disabled (decisions §10).
 */
export const location = triggerKind({
  type: 'location',
  fields: {
    latitude: numeric({ min: -90, max: 90 }, 'Degrees, north positive.'),
    longitude: numeric({ min: -180, max: 180 }, 'Degrees, east positive.'),
    radius: numeric({ min: 1, max: MAX_RADIUS_M }, 'Metres.'),
    notifyOnEntry: withDefault(flag('When a person enters the circle; `true` if left out.'), true),
    notifyOnExit: withDefault(flag('When a person leaves it; `false` if left out.'), false),
    personIds: optional(PERSON_IDS),
  },
  check({ notifyOnEntry, notifyOnExit }, fields) {
    if (notifyOnEntry || notifyOnExit) return;
    throw invalid(fields.at('notifyOnExit'), 'one of notifyOnEntry and notifyOnExit must be true');
  },
  summarize({ radius, latitude, longitude, notifyOnEntry, notifyOnExit, personIds }) {
    const act = [notifyOnEntry ? 'enters' : '', notifyOnExit ? 'leaves' : '']
      .filter((word) => word !== '')
      .join(' or ');
    const who = capitalized(peopleWords(personIds));
    return `${who} ${act} the ${radius} m around ${latitude}, ${longitude}`;
  },
  watch(trigger, { key, homeId, triggerDeps, fire }) {
    const { latitude, longitude, radius, notifyOnEntry, notifyOnExit, personIds = [] } = trigger;
    const circle = { latitude, longitude, radiusM: radius };
    const sides = new Map(readSides(triggerDeps.holds.find(key)));
    return triggerDeps.bus.on('person.moved', (fix) => {
      if (fix.homeId !== homeId || (personIds.length > 0 && !personIds.includes(fix.personId))) return;
      const before = sides.get(fix.personId);
      const isIn = isInside(circle, fix, before ?? null);
      if (isIn === before) return;
      sides.set(fix.personId, isIn);
      triggerDeps.holds.save(key, { sinceAt: fix.at, dueAt: NOT_DUE, data: Object.fromEntries(sides) });
      if (before === undefined || triggerDeps.state.home(homeId)?.location == null) return;
      if (isIn ? notifyOnEntry : notifyOnExit) fire({ person_id: fix.personId });
    });
  },
});

function readSides(kept: Hold | undefined): readonly (readonly [string, boolean])[] {
  return Object.entries(kept?.data ?? {}).flatMap(([id, isIn]) =>
    typeof isIn === 'boolean' ? [[id, isIn] as const] : [],
  );
}
