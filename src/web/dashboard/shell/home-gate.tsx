/**
 * Wraps every page that shows a home: loads the account and the home, keeps both up to date, and shows what is missing.
 */

import shellTexts from 'texts:shell';
import { Button } from '@mantine/core';
import { lazy, type ReactNode, Suspense, useEffect, useSyncExternalStore } from 'react';
import { useAccountQuery, useChosenHome } from '../account/account.ts';
import { homeToShow } from '../account/account-document.ts';
import { isOffline } from '../api/api-error.ts';
import { present } from '../api/graphql.ts';
import { isKept, refreshByEvent } from '../api/query.ts';
import { signOut } from '../api/sign-out.ts';
import { applyToHome } from '../home/home-live.ts';
import { useHomeQuery } from '../home/home-query.ts';
import { homeStore } from '../home/home-store.ts';
import { startKeepingHome } from '../home/kept-home.ts';
import { useKeptAt } from '../home/use-home.ts';
import { live } from '../live/live-connection.ts';
import { useTexts } from '../texts/texts.ts';
import { EmptyState, Loading } from '../ui/page.tsx';
import { RelayAway } from './relay-away.tsx';

const AuthLayout = lazy(async () => ({ default: (await import('../pages/sign-in/auth-layout.tsx')).AuthLayout }));

const InvitationsSection = lazy(async () => ({
  default: (await import('../pages/people/invitations-section.tsx')).InvitationsSection,
}));

interface HomeGateProps {
  /** The page can show a home that this device kept, and marks it as old. */
  readonly showsKept: boolean;
  readonly children: ReactNode;
}

export function HomeGate({ showsKept, children }: HomeGateProps) {
  const t = useTexts(shellTexts);
  useLive();
  useEffect(startKeepingHome, []);
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

  // Until the homes are loaded, an error may mean that the last displayed home no longer exists.
  const failed = account.error ?? (account.data ? inventory.error : null);
  const isOld = useKeptAt() !== undefined || isKept(account);
  const isTheirs = homes?.some(({ id }) => id === shown?.id) ?? false;
  // A kept home is shown while the relay does not answer, but not after it refused.
  const isShown = !isOld || (showsKept && isTheirs && (!failed || isOffline(failed)));

  if (shown && isShown && account.data && (homes?.length ?? 0) > 0) return children;
  if (account.data && homes?.length === 0) return <NoHome />;
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
