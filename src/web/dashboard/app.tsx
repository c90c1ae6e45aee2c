/** Chooses the view: setup while the relay has no owner, the sign-in page without a session, else the home. */

import commonTexts from 'texts:common';
import { Suspense, useEffect, useState } from 'react';
import { Redirect, Route, Switch, useLocation } from 'wouter';
import { ProofHost } from './account/proof-host.tsx';
import { graphql } from './api/graphql.ts';
import { onLateFailure, useApiQuery } from './api/query.ts';
import { useSession } from './api/session.ts';
import { forgetHome } from './home/home-live.ts';
import { homeStore } from './home/home-store.ts';
import { onRefusal } from './home/write.ts';
import { LiveProviders } from './live/companions.tsx';
import { movedTo, pageAt, ROUTES } from './routes.ts';
import { HomeGate } from './shell/home-gate.tsx';
import { HomePlace, placeAt } from './shell/home-place.tsx';
import { PageBoundary } from './shell/page-boundary.tsx';
import { RelayAway } from './shell/relay-away.tsx';
import { Shell } from './shell/shell.tsx';
import { textsNow } from './texts/texts.ts';
import { ConfirmHost } from './ui/confirm-host.tsx';
import { errorText } from './ui/error-text.ts';
import { lazyPart } from './ui/load-part.ts';
import { Loading } from './ui/page.tsx';
import { showToast, Toasts } from './ui/toasts.tsx';

const NotFoundPage = lazyPart(() => import('./pages/not-found-page.tsx'), 'NotFoundPage');
const SignInPage = lazyPart(() => import('./pages/sign-in/sign-in-page.tsx'), 'SignInPage');
const WelcomePage = lazyPart(() => import('./pages/welcome/welcome-page.tsx'), 'WelcomePage');

const OnboardedQuery = graphql(`
  query Onboarded {
    isOnboarded
  }
`);

export function App() {
  const session = useSession();
  useRefusals();
  return (
    <>
      <PageBoundary place={session?.id ?? ''}>
        <Suspense fallback={<Loading />}>{session ? <SignedIn key={session.id} /> : <Stranger />}</Suspense>
      </PageBoundary>
      <Toasts />
      <PageBoundary place={session?.id ?? ''}>
        <ConfirmHost />
        <ProofHost />
      </PageBoundary>
    </>
  );
}

function SignedIn() {
  const [path] = useLocation();
  // Loads the code of the page while the home is loading.
  useState(() => void pageAt(path)?.preload());
  // Clears one account's data before the next account signs in on this device.
  useEffect(() => forgetHome, []);
  if (path === '/welcome') return <WelcomePage />;
  const moved = movedTo(path);
  if (moved !== undefined) return <Redirect to={moved + location.search + location.hash} replace />;
  const place = placeAt(path);
  return (
    <HomeGate showsKept={path === '/'}>
      <LiveProviders />
      <Shell>
        <PageBoundary place={path}>
          <Suspense fallback={<Loading />}>{place ? <HomePlace place={place} /> : <Pages />}</Suspense>
        </PageBoundary>
      </Shell>
    </HomeGate>
  );
}

function Pages() {
  return (
    <Switch>
      {ROUTES.map(({ path, page: Page }) => (
        <Route key={path} path={path}>
          {(params) => <Page {...(params as Record<string, string | undefined>)} />}
        </Route>
      ))}
      <Route>
        <NotFoundPage />
      </Route>
    </Switch>
  );
}

function Stranger() {
  const onboarded = useApiQuery(OnboardedQuery, {}, { subjects: ['account'], anonymous: true });
  if (onboarded.data) return onboarded.data.isOnboarded ? <SignInPage /> : <WelcomePage />;
  if (!onboarded.error) return <Loading />;
  return <RelayAway error={onboarded.error} onRetry={() => void onboarded.refetch()} />;
}

/** Shows refused writes and late errors on every page. */
function useRefusals(): void {
  useEffect(() => onLateFailure((error) => showToast({ tone: 'bad', text: errorText(error) })), []);
  useEffect(
    () =>
      onRefusal(({ accessoryId }, error) => {
        const name = homeStore.accessory(accessoryId)?.name;
        const text = errorText(error);
        showToast({
          tone: 'bad',
          text: name === undefined ? text : textsNow(commonTexts).refused({ what: name, why: text }),
        });
      }),
    [],
  );
}
