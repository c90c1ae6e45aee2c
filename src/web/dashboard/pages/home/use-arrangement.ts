/**
 * The user's arrangement of the displayed home. A change shows at once and is saved in the background; after several
 * changes only the latest is saved, also if the page closes meanwhile.
 */
import { useLayoutEffect, useMemo, useSyncExternalStore } from 'react';
import { dashboardSetting, UpdateSettings, useSettings } from '../../account/account.ts';
import { act } from '../../api/client.ts';
import { refresh } from '../../api/query.ts';
import { homeStore } from '../../home/home-store.ts';
import { useHome } from '../../home/use-home.ts';
import { errorText } from '../../ui/error-text.ts';
import { showToast } from '../../ui/toasts.tsx';
import { type Arrangement, parseArrangement, withoutStrangers } from './arrangement.ts';

/** A local change that the account's settings do not contain yet. */
interface Unsaved {
  readonly homeId: string;
  readonly arrangement: Arrangement;
  /** The stored settings of the home at the time of the change, to detect newer ones. */
  readonly before: string;
  readonly isSaved: boolean;
}

let unsaved: Unsaved | undefined;
let isSaving = false;
const listeners = new Set<() => void>();

function setUnsaved(next: Unsaved | undefined): void {
  unsaved = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The last loaded account settings: a change may come long after the page rendered. */
interface Basis {
  readonly homeId: string;
  /** The settings of this home, as JSON. */
  readonly text: string;
}

let basis: Basis | undefined;

export type ChangeArrangement = (change: (arrangement: Arrangement) => Arrangement) => void;

export function useArrangement(): readonly [Arrangement, ChangeArrangement] {
  const { id: homeId } = useHome();
  const { dashboard } = useSettings();
  const text = JSON.stringify(dashboard[homeId] ?? null);
  const pending = useSyncExternalStore(subscribe, () => unsaved);
  useLayoutEffect(() => {
    basis = { homeId, text };
  }, [homeId, text]);
  const arrangement = useMemo(() => arrangementIn({ homeId, text }, pending), [homeId, text, pending]);
  return [arrangement, changeArrangement];
}

/** A local change applies until the account's settings contain it. */
function arrangementIn({ homeId, text }: Basis, pending: Unsaved | undefined): Arrangement {
  const isOvertaken = pending?.isSaved === true && pending.before !== text;
  if (pending?.homeId === homeId && !isOvertaken) return pending.arrangement;
  return parseArrangement(JSON.parse(text));
}

/** Changes the arrangement of the displayed home. */
export const changeArrangement: ChangeArrangement = (change) => {
  if (!basis) return;
  const { homeId, text } = basis;
  setUnsaved({ homeId, arrangement: change(arrangementIn(basis, unsaved)), before: text, isSaved: false });
  void saveNext();
};

/** One request at a time: of several changes meanwhile, only the last state is sent. */
async function saveNext(): Promise<void> {
  if (isSaving) return;
  isSaving = true;
  try {
    while (unsaved && !unsaved.isSaved) {
      const sent: Unsaved = unsaved;
      await send(sent);
      if (unsaved === sent) setUnsaved({ ...sent, isSaved: true });
    }
  } catch (error) {
    setUnsaved(undefined);
    showToast({ tone: 'bad', text: errorText(error) });
  } finally {
    isSaving = false;
    refresh('account');
  }
}

let lastSent: Unsaved | undefined;

function send(change: Unsaved): Promise<unknown> {
  lastSent = change;
  const data = dashboardSetting(change.homeId, cleaned(change));
  return act(UpdateSettings, { data }, { outlivesPage: true });
}

/** The page may not live until the request before is answered. */
addEventListener('pagehide', () => {
  if (unsaved && !unsaved.isSaved && unsaved !== lastSent) send(unsaved).catch(() => undefined);
});

function cleaned({ homeId, arrangement }: Unsaved): Arrangement {
  const { inventory } = homeStore;
  if (inventory?.id !== homeId) return arrangement;
  const things = [...inventory.rooms, ...inventory.accessories, ...inventory.serviceGroups, ...inventory.scenes];
  return withoutStrangers(
    arrangement,
    things.map(({ id }) => id),
  );
}
