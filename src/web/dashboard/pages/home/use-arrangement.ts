/**
 * The person's arrangement of the home on the screen. A change is shown at once and saved behind it; while several are made, the
 * latest is what is saved next.
 */
import { useLayoutEffect, useMemo, useSyncExternalStore } from 'react';
import { dashboardSetting, UpdateSettings, useSettings } from '../../account/account.ts';
import { act } from '../../api/client.ts';
import { refresh } from '../../api/query.ts';
import { houseStore } from '../../house/house-store.ts';
import { useHouse } from '../../house/use-house.ts';
import { errorText } from '../../ui/error-text.ts';
import { showToast } from '../../ui/toasts.tsx';
import { type Arrangement, parseArrangement, withoutStrangers } from './arrangement.ts';

/** What was changed here and is not among the account's settings yet. */
interface Unsaved {
  readonly homeId: string;
  readonly arrangement: Arrangement;
  /** What the settings held of the home when it was made, to know when the next have come. */
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

/** The account's settings as they were read last: changes may be made long after the page that offered them was drawn. */
interface Basis {
  readonly homeId: string;
  /** What they hold of this home, as JSON. */
  readonly text: string;
}

let basis: Basis | undefined;

export type ChangeArrangement = (change: (arrangement: Arrangement) => Arrangement) => void;

export function useArrangement(): readonly [Arrangement, ChangeArrangement] {
  const { id: homeId } = useHouse();
  const { dashboard } = useSettings();
  const text = JSON.stringify(dashboard[homeId] ?? null);
  const pending = useSyncExternalStore(subscribe, () => unsaved);
  useLayoutEffect(() => {
    basis = { homeId, text };
  }, [homeId, text]);
  const arrangement = useMemo(() => arrangementIn({ homeId, text }, pending), [homeId, text, pending]);
  return [arrangement, changeArrangement];
}

/** What was changed here counts until the account's settings have it. */
function arrangementIn({ homeId, text }: Basis, pending: Unsaved | undefined): Arrangement {
  const isOvertaken = pending?.isSaved === true && pending.before !== text;
  if (pending?.homeId === homeId && !isOvertaken) return pending.arrangement;
  return parseArrangement(JSON.parse(text));
}

/** Of the home that is on the screen. */
export const changeArrangement: ChangeArrangement = (change) => {
  if (!basis) return;
  const { homeId, text } = basis;
  setUnsaved({ homeId, arrangement: change(arrangementIn(basis, unsaved)), before: text, isSaved: false });
  void saveNext();
};

/** One request at a time: of what is changed meanwhile, only the last state is sent. */
async function saveNext(): Promise<void> {
  if (isSaving) return;
  isSaving = true;
  try {
    while (unsaved && !unsaved.isSaved) {
      const sent: Unsaved = unsaved;
      await act(UpdateSettings, { data: dashboardSetting(sent.homeId, cleaned(sent)) });
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

function cleaned({ homeId, arrangement }: Unsaved): Arrangement {
  const { house } = houseStore;
  if (house?.id !== homeId) return arrangement;
  const things = [...house.rooms, ...house.accessories, ...house.serviceGroups, ...house.scenes];
  return withoutStrangers(
    arrangement,
    things.map(({ id }) => id),
  );
}
