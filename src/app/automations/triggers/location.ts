import { isInside } from '../../../home/geo.ts';
import { capitalized, peopleWords } from '../words.ts';
import type { Hold } from './hold-store.ts';
import type { TriggerKind } from './trigger-kind.ts';

/** Never due: the row only stores data. */
const NOT_DUE = Number.MAX_SAFE_INTEGER;

/**
 * A person crossed the edge of a circle. A position that may be on either side changes nothing, and the first position
 * of a person only sets the side. The sides survive restarts. Nothing fires while the home's location is unset: the
 * home platform treats such automations as disabled (decisions §10).
 */
export const location: TriggerKind<'location'> = {
  type: 'location',
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
};

function readSides(kept: Hold | undefined): readonly (readonly [string, boolean])[] {
  return Object.entries(kept?.data ?? {}).flatMap(([id, isIn]) =>
    typeof isIn === 'boolean' ? [[id, isIn] as const] : [],
  );
}
