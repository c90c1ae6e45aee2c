/**
 * The contents of a share's page, as plain values: rooms with cards, a card an accessory. The page is rendered from it,
 * and the live stream sends the changeable part, so that the script in the browser only fills in text and numbers.
 */
import type { OpenShare } from '../../app/sharing/open-share.ts';
import type { HomeState } from '../../home/home-state.ts';
import type { Accessory } from '../../home/model.ts';
import { bindingsOf } from '../../home/vocabulary/bindings.ts';
import { deviceType } from '../../home/vocabulary/device-types.ts';
import { sha256Hex } from '../../kernel/secrets.ts';
import { type CardControl, controlsOf } from './controls.ts';
import { stateInWords } from './state-words.ts';
import type { ShareTexts } from './texts.ts';

export interface Card {
  readonly id: string;
  readonly name: string;
  /** A device type (API §2.3), for its icon. */
  readonly type: string;
  /** The accessory runs, is open or is unlocked: the card is highlighted. */
  readonly isActive: boolean;
  readonly reachable: boolean;
  readonly summary: string;
  /** Empty if the share is read-only. */
  readonly controls: readonly CardControl[];
}

export interface RoomCards {
  readonly name: string;
  readonly cards: readonly Card[];
}

export interface ShareView {
  readonly name: string;
  readonly homeName: string | null;
  readonly role: OpenShare['role'];
  readonly rooms: readonly RoomCards[];
  /** `false` if the relay can't send commands to (one of) the homes now. */
  readonly isConnected: boolean;
}

/** In the language of the texts, which are part of its shape. */
export function viewShare(share: OpenShare, state: HomeState, texts: ShareTexts): ShareView {
  const rooms = new Map<string, Card[]>();
  const accessories = [...share.accessories()].filter(isShown);
  for (const accessory of accessories) {
    const cards = rooms.get(accessory.roomId) ?? [];
    rooms.set(accessory.roomId, [...cards, makeCard(accessory, share.role, texts)]);
  }
  return {
    name: share.entityName,
    homeName: share.homeName,
    role: share.role,
    rooms: [...rooms].map(([id, cards]) => ({ name: state.room(id)?.name ?? '', cards })),
    isConnected: [...share.homeIds].every((id) => state.isConnected(id)),
  };
}

/** A bridge has no contents of its own. */
function isShown({ vanishedAt, services }: Accessory): boolean {
  return vanishedAt === null && bindingsOf(services).list.length > 0;
}

/** The script's data for updating the page. */
export interface LiveView {
  /** A hash of everything except values: if it differs, the script reloads the page. */
  readonly shape: string;
  readonly isConnected: boolean;
  readonly cards: Readonly<Record<string, LiveCard>>;
}

interface LiveCard {
  readonly summary: string;
  readonly isActive: boolean;
  readonly reachable: boolean;
  /** By property. */
  readonly values: Readonly<Record<string, boolean | number | string | null>>;
}

export function liveView(view: ShareView): LiveView {
  const cards = view.rooms.flatMap((room) => room.cards);
  return {
    shape: shapeOf(view),
    isConnected: view.isConnected,
    cards: Object.fromEntries(
      cards.map(({ id, summary, isActive, reachable, controls }) => [
        id,
        {
          summary,
          isActive,
          reachable,
          values: Object.fromEntries(controls.map(({ property, value }) => [property, value])),
        },
      ]),
    ),
  };
}

/** Sixty-four bits: a collision would only leave a page unchanged until its next reload. */
const SHAPE_DIGITS = 16;

const CHANGING: ReadonlySet<string> = new Set(['value', 'summary', 'isActive', 'reachable', 'isConnected']);

export function shapeOf(view: ShareView): string {
  const lasting = JSON.stringify(view, (key, value: unknown) => (CHANGING.has(key) ? undefined : value));
  return sha256Hex(lasting).slice(0, SHAPE_DIGITS);
}

function makeCard(accessory: Accessory, role: OpenShare['role'], texts: ShareTexts): Card {
  const { id, name, reachable } = accessory;
  const { words: summary, isActive } = stateInWords(accessory, texts);
  const controls = role === 'control' ? controlsOf(accessory, texts) : [];
  return { id, name, type: deviceType(accessory), isActive, reachable, summary, controls };
}
