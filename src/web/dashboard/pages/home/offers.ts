/** New accessories on the network that were not declined on this device. */
import { useState } from 'react';
import { present } from '../../api/graphql.ts';
import { useApiQuery } from '../../api/query.ts';
import { useKeptAt, useRights } from '../../home/use-home.ts';
import { kioskNow } from '../../shell/kiosk/kiosk.ts';
import { type Discovered, DiscoveredQuery, stateOf } from '../pair/discovered.ts';

const KEY = 'hearthd.declined';
/** The oldest are offered again. */
const MAX_DECLINED = 200;

interface Offers {
  readonly devices: readonly Discovered[];
  /** They are not offered on this device again. */
  decline(): void;
}

/** Only to users who may add them. */
export function useOffers(): Offers {
  const { canManage } = useRights();
  const isOld = useKeptAt() !== undefined;
  const [declined, setDeclined] = useState(declinedIds);
  const enabled = canManage && !isOld && !kioskNow();
  const { data } = useApiQuery(DiscoveredQuery, {}, { subjects: ['discovery'], enabled });
  const devices = enabled ? offersOf(present(data?.discoveredAccessories), declined) : [];
  const decline = () => {
    const next = withDeclined(
      declined,
      devices.map(({ deviceId }) => deviceId),
    );
    setDeclined(next);
    try {
      localStorage.setItem(KEY, JSON.stringify(next));
    } catch {
      // Without storage it applies until the page closes.
    }
  };
  return { devices, decline };
}

export function offersOf(found: readonly Discovered[], declined: readonly string[]): readonly Discovered[] {
  return found.filter((device) => stateOf(device) === 'new' && !declined.includes(device.deviceId));
}

export function withDeclined(before: readonly string[], ids: readonly string[]): readonly string[] {
  return [...new Set([...before, ...ids])].slice(-MAX_DECLINED);
}

function declinedIds(): readonly string[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]');
    return Array.isArray(kept) ? kept.filter((id) => typeof id === 'string') : [];
  } catch {
    return [];
  }
}
