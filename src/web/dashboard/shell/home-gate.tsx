/**
 * Wraps every page that shows a home: loads the account and the home, keeps both up to date, and shows what is missing.
 */

import shellTexts from 'texts:shell';
import { Button } from '@mantine/core';
import { lazy, type ReactNode, Suspense, useEffect, useSyncExternalStore } from 'react';
import { homeToShow, useAccountQuery, useChosenHome } from '../account/account.ts';
import { present } from '../api/graphql.ts';
import { refreshByEvent } from '../api/query.ts';
import { signOut } from '../api/sign-out.ts';
import { applyToHome } from '../home/home-live.ts';
import { useHomeQuery } from '../home/home-query.ts';
import { homeStore } from '../home/home-store.ts';
import { live } from '../live/live-connection.ts';
import { useTexts } from '../texts/texts.ts';
import { EmptyState, Loading } from '../ui/page.tsx';
import { RelayAway } from './relay-away.tsx';

const AuthLayout = lazy(async () => ({ default: (await import('../pages/sign-in/auth-layout.tsx')).AuthLayout }));

const InvitationsSection = lazy(async () => ({
  default: (await import('../pages/people/invitations-section.tsx')).InvitationsSection,
}));

export function HomeGate({ children }: { readonly children: ReactNode }) {
  const t = useTexts(shellTexts);
  useLive();
  const account = useAccountQuery(true);
  // The last displayed home loads at once, without waiting for the list of homes.
  const requested = useChosenHome();
  const homes = account.data && present(account.data.homes);
  const homeId = homeToShow(homes, requested);
  const inventory = useHomeQuery(homeId);
  const loaded = inventory.data?.home ?? undefined;
  useEffect(() => {
    if (loaded && loaded !== homeStore.inventory) homeStore.load(loaded);
  }, [loaded]);
  const shown = useSyncExternalStore(homeStore.subscribeToLayout, () => homeStore.inventory);

  if (shown && account.data && (homes?.length ?? 0) > 0) return children;
  if (account.data && homes?.length === 0) return <NoHome />;
  // Until the homes are loaded, an error may mean that the last displayed home no longer exists.
  const failed = account.error ?? (account.data ? inventory.error : null);
  if (failed) {
    const retry = () => {
      void account.refetch();
      if (homeId) void inventory.refetch();
    };
    return <RelayAway error={failed} onRetry={retry} />;
  }
  return <Loading label={t.loadingHome} />;
}

function NoHome() {
  const t = useTexts(shellTexts);
  return (
    <AuthLayout wide>
      <EmptyState isPage title={t.noHomes} action={<Button onClick={() => void signOut()}>{t.signOut}</Button>}>
        {t.noHomesText}
      </EmptyState>
      <Suspense>
        <InvitationsSection />
      </Suspense>
    </AuthLayout>
  );
}

/** Keeps the event stream open while a home is displayed. */
function useLive(): void {
  useEffect(() => {
    const ends = [live.onEvent(applyToHome), live.onEvent(refreshByEvent)];
    live.start();
    return () => {
      live.stop();
      for (const end of ends) end();
    };
  }, []);
}
