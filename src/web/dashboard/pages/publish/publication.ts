/** What the page shows of a publication: its codes, its counts, and what its form edits. */
import type { PublicationKind } from '../../../../contract/publications.ts';
import { MAX_LOCK_PIN, MIN_LOCK_PIN } from '../../../../home/vocabulary/lock-pins.ts';
import type { Bridge, Preview, Publication, Selection } from './publish-documents.ts';

export const KINDS: readonly PublicationKind[] = ['homekit', 'matter'];

export function kindOf({ kind }: Pick<Publication, 'kind'>): PublicationKind {
  return kind === 'matter' ? 'matter' : 'homekit';
}

/** What a person scans or types to add a bridge. */
export interface SetupCode {
  /** The content of the QR code. */
  readonly qr: string;
  /** In groups, as it is printed on products. */
  readonly code: string;
}

export function setupCodeOf({ setupUri, setupCode, qrCode, manualCode }: Bridge): SetupCode | undefined {
  if (setupUri !== null && setupCode !== null) return { qr: setupUri, code: setupCode };
  if (qrCode !== null && manualCode !== null) return { qr: qrCode, code: groupManualCode(manualCode) };
  return undefined;
}

/** Matter's manual code, `34970112332`, as ecosystems show it: `3497-011-2332`. */
function groupManualCode(code: string): string {
  return code.length === 11 ? `${code.slice(0, 4)}-${code.slice(4, 7)}-${code.slice(7)}` : code;
}

/** The fields of the form. An empty selection of the parts is none. */
export interface PublicationValues extends Selection {
  readonly name: string;
  readonly kind: PublicationKind;
  readonly asksForPin: boolean;
  /** Empty as long as no other one is typed: the relay never shows it. */
  readonly lockPin: string;
}

export function valuesOf(publication: Publication | undefined, name: string): PublicationValues {
  return {
    name: publication?.name ?? name,
    kind: publication ? kindOf(publication) : 'homekit',
    ...{ asksForPin: publication?.hasLockPin ?? false, lockPin: '' },
    ...(publication?.selection ?? {
      scope: 'home',
      ...{ roomIds: [], types: [], accessoryIds: [], serviceGroupIds: [], sceneIds: [], exceptIds: [] },
    }),
  };
}

/** For the relay. With the whole home, parts that were chosen before do not count. */
export function selectionOf(values: PublicationValues): Selection {
  const { name: _, kind: __, asksForPin: ___, lockPin: ____, ...selection } = values;
  return selection.scope === 'home' ? { ...selection, roomIds: [], types: [], accessoryIds: [] } : selection;
}

/** For the relay: another PIN for locks, an empty text to remove it, `undefined` to leave it as it is. */
export function lockPinOf({ kind, asksForPin, lockPin }: PublicationValues, hasLockPin: boolean): string | undefined {
  if (kind !== 'matter' || !asksForPin) return hasLockPin ? '' : undefined;
  return lockPin === '' ? undefined : lockPin;
}

/** Whether a PIN for locks is asked for, and none is there yet. */
export function lacksLockPin({ kind, asksForPin, lockPin }: PublicationValues, hasLockPin: boolean): boolean {
  return kind === 'matter' && asksForPin && !hasLockPin && lockPin === '';
}

const DIGITS = new RegExp(`^[0-9]{${MIN_LOCK_PIN},${MAX_LOCK_PIN}}$`);

/** Whether what was typed as the PIN for locks can't be one. */
export function isNoLockPin({ kind, asksForPin, lockPin }: PublicationValues): boolean {
  return kind === 'matter' && asksForPin && lockPin !== '' && !DIGITS.test(lockPin);
}

export function isEmptySelection(values: PublicationValues): boolean {
  const { scope, roomIds, types, accessoryIds, serviceGroupIds, sceneIds } = selectionOf(values);
  const lists = [roomIds, types, accessoryIds, serviceGroupIds, sceneIds];
  return scope !== 'home' && lists.every((list) => list.length === 0);
}

/** A name that no other publication of the home has: "Home", "Home 2" … */
export function freeName(name: string, publications: readonly Pick<Publication, 'name'>[]): string {
  const taken = new Set(publications.map((one) => one.name.toLowerCase()));
  const isTaken = (one: string): boolean => taken.has(one.toLowerCase());
  if (!isTaken(name)) return name;
  let number = 2;
  while (isTaken(`${name} ${number}`)) number += 1;
  return `${name} ${number}`;
}

type Item = Preview['items'][number];

export interface SortedPreview {
  readonly published: readonly Item[];
  readonly refused: readonly Item[];
}

/** What is published, and what can't be. */
export function sortPreview({ items }: Preview): SortedPreview {
  return {
    published: items.filter(({ reason }) => reason === null),
    refused: items.filter(({ reason }) => reason !== null),
  };
}
