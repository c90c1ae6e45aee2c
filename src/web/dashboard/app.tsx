/** Who sees what: the first run while nobody owns the relay, the sign-in page for strangers, the home for everybody else. */
import { Button } from '@mantine/core';
import { Suspense, useEffect, useState } from 'react';
import { Link, Route, Switch, useLocation } from 'wouter';
import { graphql } from './api/graphql.ts';
import { onLateFailure, useAsk } from './api/query.ts';
import { useSession } from './api/session.ts';
import { forgetHouse } from './house/house-live.ts';
import { houseStore } from './house/house-store.ts';
import { onRefusal } from './house/write.ts';
import { Companions } from './live/companions.tsx';
import { pageAt, ROUTES } from './routes.ts';
import { HouseGate } from './shell/house-gate.tsx';
import { lazyPart } from './shell/load-part.ts';
import { PageBoundary } from './shell/page-boundary.tsx';
import { RelayAway } from './shell/relay-away.tsx';
import { Shell } from './shell/shell.tsx';
import { shellTexts } from './shell/texts/texts.ts';
import { commonTexts } from './texts/common/common.ts';
import { textsNow, useTexts } from './texts/texts.ts';
import { ConfirmDialog } from './ui/confirm.tsx';
import { errorText } from './ui/error-text.ts';
import { Loading, Page } from './ui/page.tsx';
import { showToast, Toasts } from './ui/toasts.tsx';

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
      <ConfirmDialog />
    </>
  );
}

function SignedIn() {
  const [path] = useLocation();
  // While the home is asked for, the page that will show it is fetched.
  useState(() => void pageAt(path)?.preload());
  // What one person saw is not for the next one who signs in on this device.
  useEffect(() => forgetHouse, []);
  if (path === '/welcome') return <WelcomePage />;
  return (
    <HouseGate>
      <Companions />
      <Shell>
        <PageBoundary place={path}>
          <Suspense fallback={<Loading />}>
            <Switch>
              {ROUTES.map(({ path: pattern, page: Page }) => (
                <Route key={pattern} path={pattern}>
                  {(params) => <Page {...(params as Record<string, string | undefined>)} />}
                </Route>
              ))}
              <Route>
                <NotFound />
              </Route>
            </Switch>
          </Suspense>
        </PageBoundary>
      </Shell>
    </HouseGate>
  );
}

function Stranger() {
  const onboarded = useAsk(OnboardedQuery, {}, { subjects: ['account'], anonymous: true });
  if (onboarded.data) return onboarded.data.isOnboarded ? <SignInPage /> : <WelcomePage />;
  if (!onboarded.error) return <Loading />;
  return <RelayAway error={onboarded.error} onRetry={() => void onboarded.refetch()} />;
}

function NotFound() {
  const t = useTexts(shellTexts);
  return (
    <Page title={t.notFound} lead={t.notFoundText} narrow>
      <Button component={Link} href="/" style={{ alignSelf: 'flex-start' }}>
        {t.toHome}
      </Button>
    </Page>
  );
}

/** What a device refused, and what else failed after all, is told wherever the person is by then. */
function useRefusals(): void {
  useEffect(() => onLateFailure((error) => showToast({ tone: 'bad', text: errorText(error) })), []);
  useEffect(
    () =>
      onRefusal(({ accessoryId }, error) => {
        const name = houseStore.accessory(accessoryId)?.name;
        const text = errorText(error);
        showToast({ tone: 'bad', text: name === undefined ? text : textsNow(commonTexts).refused(name, text) });
      }),
    [],
  );
}
