/** How the energy of a period spread over the rooms, as the bands of a picture in percent of its height. */

export interface RoomFlow {
  /** The room's id; `null` for the rooms that are shown as one. */
  readonly roomId: string | null;
  readonly kwh: number;
  /** 0 to 1. */
  readonly share: number;
  /** Where its band begins: at the whole, where bands touch, and at the rooms, which have gaps. */
  readonly source: number;
  readonly target: number;
}

interface Used {
  readonly accessoryId: string;
  readonly kwh: number;
}

/** More bands are too thin to see; each has a colour of its own. */
const MAX_BANDS = 6;
/** Percent of the height, all gaps together. */
const GAPS = 20;

/** The largest first. @param roomOf the room of an accessory; `undefined` for one that is gone */
export function roomFlows(devices: readonly Used[], roomOf: (accessoryId: string) => string | undefined): RoomFlow[] {
  const rooms = new Map<string | null, number>();
  for (const { accessoryId, kwh } of devices) {
    const roomId = roomOf(accessoryId) ?? null;
    if (kwh > 0) rooms.set(roomId, (rooms.get(roomId) ?? 0) + kwh);
  }
  const gone = rooms.get(null) ?? 0;
  rooms.delete(null);
  const sorted = [...rooms].sort(([, a], [, b]) => b - a);
  const isFull = sorted.length + (gone > 0 ? 1 : 0) > MAX_BANDS;
  const shown: (readonly [string | null, number])[] = isFull ? sorted.slice(0, MAX_BANDS - 1) : sorted;
  const rest = gone + sorted.slice(shown.length).reduce((sum, [, kwh]) => sum + kwh, 0);
  const all = rest > 0 ? [...shown, [null, rest] as const] : shown;
  const total = all.reduce((sum, [, kwh]) => sum + kwh, 0);
  const gap = all.length > 1 ? GAPS / (all.length - 1) : 0;
  let source = 0;
  return all.map(([roomId, kwh], index) => {
    const share = kwh / total;
    const flow = { roomId, kwh, share, source, target: source * (1 - GAPS / 100) + index * gap };
    source += share * 100;
    return flow;
  });
}

/** The height of a band where it ends, in percent. */
export function targetHeight({ share }: RoomFlow, count: number): number {
  return share * (count > 1 ? 100 - GAPS : 100);
}
