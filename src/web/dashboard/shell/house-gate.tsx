/** Stands before every page that shows a home: reads the account and the home, keeps both alive, and says what is missing. */
import { Button } from '@mantine/core';
import { lazy, type ReactNode, Suspense, useEffect, useSyncExternalStore } from 'react';
import { homeToShow, useAccountQuery, useChosenHome } from '../account/account.ts';
import { present } from '../api/graphql.ts';
import { refreshByEvent } from '../api/query.ts';
import { signOut } from '../api/sign-out.ts';
import { applyToHouse } from '../house/house-live.ts';
import { useHouseQuery } from '../house/house-query.ts';
import { houseStore } from '../house/house-store.ts';
import { live } from '../live/live-connection.ts';
import { useTexts } from '../texts/texts.ts';
import { EmptyState, Loading } from '../ui/page.tsx';
import { RelayAway } from './relay-away.tsx';
import { shellTexts } from './texts/texts.ts';

const FrontDoor = lazy(async () => ({ default: (await import('../pages/sign-in/front-door.tsx')).FrontDoor }));

const InvitationsSection = lazy(async () => ({
  default: (await import('../pages/people/invitations-section.tsx')).InvitationsSection,
}));

export function HouseGate({ children }: { readonly children: ReactNode }) {
  const t = useTexts(shellTexts);
  useLive();
  const account = useAccountQuery(true);
  // The home that was shown last is asked for at once, without waiting for the list of them.
  const wished = useChosenHome();
  const homes = account.data && present(account.data.homes);
  const homeId = homeToShow(homes, wished);
  const house = useHouseQuery(homeId);
  const loaded = house.data?.home ?? undefined;
  useEffect(() => {
    if (loaded && loaded !== houseStore.house) houseStore.load(loaded);
  }, [loaded]);
  const shown = useSyncExternalStore(houseStore.subscribeToLayout, () => houseStore.house);

  if (shown && account.data && (homes?.length ?? 0) > 0) return children;
  if (account.data && homes?.length === 0) return <NoHome />;
  // Until the homes are known, the one that was shown last may be gone.
  const failed = account.error ?? (account.data ? house.error : null);
  if (failed) {
    const retry = () => {
      void account.refetch();
      if (homeId) void house.refetch();
    };
    return <RelayAway error={failed} onRetry={retry} />;
  }
  return <Loading label={t.loadingHome} />;
}

function NoHome() {
  const t = useTexts(shellTexts);
  return (
    <FrontDoor wide>
      <EmptyState isPage title={t.noHomes} action={<Button onClick={() => void signOut()}>{t.signOut}</Button>}>
        {t.noHomesText}
      </EmptyState>
      <Suspense>
        <InvitationsSection />
      </Suspense>
    </FrontDoor>
  );
}

/** The stream of events, as long as a home is on the screen. */
function useLive(): void {
  useEffect(() => {
    const ends = [live.onEvent(applyToHouse), live.onEvent(refreshByEvent)];
    live.start();
    return () => {
      live.stop();
      for (const end of ends) end();
    };
  }, []);
}
