/**
 * The setup: from a relay without an owner to accessories in their rooms. Each step has an address, so that back and
 * reload work.
 */
import { useEffect } from 'react';
import { useLocation, useSearch } from 'wouter';
import { present } from '../../api/graphql.ts';
import { useApiQuery } from '../../api/query.ts';
import { useSession } from '../../api/session.ts';
import { Answer } from '../../ui/page.tsx';
import { AuthLayout } from '../sign-in/auth-layout.tsx';
import { AccessoriesStep } from './accessories-step.tsx';
import { ClaimStep } from './claim-step.tsx';
import { HistoryStep } from './history-step.tsx';
import { HomeStep } from './home-step.tsx';
import { PlaceStep } from './place-step.tsx';
import { type LaterStep, stepOf } from './steps.ts';
import { WelcomeQuery } from './welcome-documents.ts';

export function WelcomePage() {
  const session = useSession();
  if (session) return <LaterSteps />;
  return (
    <AuthLayout>
      <ClaimStep />
    </AuthLayout>
  );
}

/** For the relay's new owner. */
function LaterSteps() {
  const search = useSearch();
  const [, navigate] = useLocation();
  const query = useApiQuery(WelcomeQuery, {}, { subjects: ['account', 'inventory'] });
  const home = present(query.data?.homes).find(({ role }) => role === 'owner' || role === 'admin');
  const isNobodys = query.data !== undefined && home === undefined;
  useEffect(() => {
    // A user without a home to manage followed a link: there is nothing to set up.
    if (isNobodys) navigate('/', { replace: true });
  }, [isNobodys, navigate]);
  const go = (step: LaterStep) => navigate(`/welcome?step=${step}`);
  const finish = () => navigate('/', { replace: true });
  return (
    <Answer query={query}>
      {() => {
        if (!home) return null;
        const step = stepOf(new URLSearchParams(search).get('step'), home);
        return (
          <AuthLayout wide={step === 'accessories'}>
            {step === 'home' && <HomeStep home={home} onNext={() => go('place')} />}
            {step === 'place' && <PlaceStep home={home} onBack={() => go('home')} onNext={() => go('history')} />}
            {step === 'history' && (
              <HistoryStep homeId={home.id} onBack={() => go('place')} onNext={() => go('accessories')} />
            )}
            {step === 'accessories' && (
              <AccessoriesStep homeId={home.id} onBack={() => go('history')} onDone={finish} />
            )}
          </AuthLayout>
        );
      }}
    </Answer>
  );
}
