/**
 * The last known home, kept on this device so that the home page can show it at once, marked as old, before the relay
 * answers. One home is kept: the last displayed one, of the person who is signed in. It is in the same storage as the
 * session and goes with it, and with the version of the pages. It has no address, place or serial number in it.
 */
import { accountToKeep, chosenHome, type KeptAccount, showKeptAccount } from '../account/account.ts';
import { homeToShow } from '../account/account-document.ts';
import { present } from '../api/graphql.ts';
import { type Session, sessionHolder } from '../api/session.ts';
import { live } from '../live/live-connection.ts';
import type { HomeAccessory, HomeInventory } from './home-document.ts';
import { homeStore } from './home-store.ts';

const KEY = 'hearthd.lastHome';
/** More than 500 accessories need, and less than the storage of a browser has. */
const MAX_CHARACTERS = 3_000_000;
/** After a week away, an outline is more honest than values. */
const MAX_AGE_MS = 7 * 24 * 60 * 60 * 1000;
/** A tablet at the wall is not closed, it loses its power. */
const KEEP_EVERY_MS = 300_000;
const FIRST_KEPT_AFTER_MS = 3_000;
/** They have the serial number, and no tile. */
const TECHNICAL: ReadonlySet<string> = new Set(['accessory_information', 'protocol_information']);

export interface KeptHome {
  /** Of the pages: others may expect other fields. */
  readonly version: string;
  readonly session: string;
  /** The time of the values, in milliseconds since the epoch. */
  readonly at: number;
  readonly account: KeptAccount;
  readonly inventory: HomeInventory;
}

/** Identifies a session without a part of its token. */
export function sessionMark({ id }: Pick<Session, 'id'>): string {
  let hash = 0x811c9dc5;
  for (const character of id) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193) >>> 0;
  return hash.toString(16);
}

/** The home as a device keeps it. */
export function withoutDetails(inventory: HomeInventory): HomeInventory {
  const reduce = <A extends Pick<HomeAccessory, 'services'>>(accessory: A): A => ({
    ...accessory,
    services: accessory.services.filter(({ type }) => !TECHNICAL.has(type)),
  });
  return {
    ...inventory,
    latitude: null,
    longitude: null,
    accessories: inventory.accessories.map(reduce),
    serviceGroups: inventory.serviceGroups.map((group) => ({
      ...group,
      accessory: group.accessory && reduce(group.accessory),
    })),
  };
}

/** @returns `undefined` if it is damaged, too old, another version's or of another session */
export function parseKept(
  text: string | null,
  expected: Pick<KeptHome, 'version' | 'session'> & { readonly now: number },
): KeptHome | undefined {
  try {
    const kept: KeptHome | null = JSON.parse(text ?? 'null');
    if (!kept || kept.version !== expected.version || kept.session !== expected.session) return undefined;
    const ageMs = expected.now - kept.at;
    // A clock that was set back would show a time in the future.
    return ageMs >= 0 && ageMs < MAX_AGE_MS ? kept : undefined;
  } catch {
    return undefined;
  }
}

/** The script's name has the hash of its content, and so of every page. */
const VERSION = import.meta.url;

function storageOf(session: Session): Storage | undefined {
  try {
    return session.kept ? localStorage : sessionStorage;
  } catch {
    return undefined;
  }
}

function forgetKept(): void {
  try {
    localStorage.removeItem(KEY);
    sessionStorage.removeItem(KEY);
  } catch {
    // Nothing is kept where there is no storage.
  }
}

/** Shows the kept home until the relay answers. @returns whether there is one for this session */
export function showKeptHome(session: Session): boolean {
  const expected = { version: VERSION, session: sessionMark(session), now: Date.now() };
  const hasEnded = session.expiresAt !== null && Date.parse(session.expiresAt) <= expected.now;
  const kept = hasEnded ? undefined : parseKept(storageOf(session)?.getItem(KEY) ?? null, expected);
  if (!kept) {
    forgetKept();
    return false;
  }
  if (homeToShow(present(kept.account.homes), chosenHome()) !== kept.inventory.id) return false;
  showKeptAccount(kept.account);
  homeStore.load(kept.inventory, kept.at);
  return true;
}

/** Keeps the displayed home, if the relay has answered since the page opened. */
export function keepHome(): void {
  const session = sessionHolder.get();
  const storage = session && storageOf(session);
  const inventory = homeStore.keptAt === undefined ? homeStore.snapshot() : undefined;
  const account = accountToKeep();
  if (!session || !storage || !inventory || !account) return;
  const { status, since } = live.state;
  const kept: KeptHome = {
    version: VERSION,
    session: sessionMark(session),
    at: status === 'live' ? Date.now() : since,
    account,
    inventory: withoutDetails(inventory),
  };
  try {
    const text = JSON.stringify(kept);
    if (text.length > MAX_CHARACTERS) storage.removeItem(KEY);
    else storage.setItem(KEY, text);
  } catch {
    // The storage is full: an older home would be misleading.
    storage.removeItem(KEY);
  }
}

/** Keeps the home from time to time and when the page goes. @returns the function that ends it */
export function startKeepingHome(): () => void {
  const onHide = () => document.visibilityState === 'hidden' && keepHome();
  const first = setTimeout(keepHome, FIRST_KEPT_AFTER_MS);
  const timer = setInterval(keepHome, KEEP_EVERY_MS);
  document.addEventListener('visibilitychange', onHide);
  addEventListener('pagehide', keepHome);
  return () => {
    clearTimeout(first);
    clearInterval(timer);
    document.removeEventListener('visibilitychange', onHide);
    removeEventListener('pagehide', keepHome);
  };
}

/** Forgets the kept home when the session ends, or another one begins. */
export function forgetKeptWithSession(): void {
  let mark = markNow();
  if (mark === undefined) forgetKept();
  sessionHolder.subscribe(() => {
    if (markNow() === mark) return;
    mark = markNow();
    forgetKept();
  });
}

function markNow(): string | undefined {
  const session = sessionHolder.get();
  return session && sessionMark(session);
}
