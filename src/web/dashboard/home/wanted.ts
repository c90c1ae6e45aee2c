/**
 * What was asked of an accessory and is not confirmed yet: its own values stay the confirmed ones. Controls show what
 * was asked for, words and counts what is.
 */
import type { HomeAccessory, Value, WantedValues } from './home-document.ts';

/** Changed accessories are new objects, so each one is made once. */
const known = new WeakMap<HomeAccessory, HomeAccessory>();

/** The accessory as it will be; the same object if nothing is to be confirmed. */
export function asWanted(accessory: HomeAccessory): HomeAccessory {
  const { wanted } = accessory;
  if (!wanted) return accessory;
  let made = known.get(accessory);
  if (!made) {
    const so = Object.entries(wanted).reduce((so, [id, value]) => withValue(so, id, value), accessory);
    made = { ...so, confirmed: valuesOf(accessory, wanted) };
    known.set(accessory, made);
  }
  return made;
}

function valuesOf({ services }: HomeAccessory, wanted: WantedValues): WantedValues {
  const asked = services.flatMap(({ characteristics }) => characteristics).filter(({ id }) => id in wanted);
  return Object.fromEntries(asked.map(({ id, value }) => [id, value]));
}

/** What an accessory is waited for. */
export interface WaitMarks {
  readonly isPending: boolean;
  readonly isWaiting: boolean;
  readonly wanted: WantedValues;
}

/** The same object if the marks are already set. */
export function withMarks(accessory: HomeAccessory, { isPending, isWaiting, wanted }: WaitMarks): HomeAccessory {
  const { isPending: wasPending = false, isWaiting: wasWaiting = false, wanted: before = {}, ...rest } = accessory;
  const ids = Object.keys(wanted);
  const isSame =
    isPending === wasPending &&
    isWaiting === wasWaiting &&
    ids.length === Object.keys(before).length &&
    ids.every((id) => Object.is(wanted[id], before[id]));
  if (isSame) return accessory;
  return {
    ...rest,
    ...(isPending && { isPending }),
    ...(isWaiting && { isWaiting }),
    ...(ids.length > 0 && { wanted }),
  };
}

/** The same object if nothing changed. */
export function withValue(accessory: HomeAccessory, characteristicId: string, value: Value): HomeAccessory {
  for (const [index, service] of accessory.services.entries()) {
    const at = service.characteristics.findIndex(({ id }) => id === characteristicId);
    const characteristic = service.characteristics[at];
    if (!characteristic) continue;
    if (Object.is(characteristic.value, value)) return accessory;
    const characteristics = service.characteristics.with(at, { ...characteristic, value });
    return { ...accessory, services: accessory.services.with(index, { ...service, characteristics }) };
  }
  return accessory;
}
