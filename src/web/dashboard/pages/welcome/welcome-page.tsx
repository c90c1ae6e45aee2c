/** The first run: from a relay that nobody owns to accessories in their rooms. Each step is an address, so that back and reload work. */
import { useEffect } from 'react';
import { useLocation, useSearch } from 'wouter';
import { present } from '../../api/graphql.ts';
import { useAsk } from '../../api/query.ts';
import { useSession } from '../../api/session.ts';
import { Answer } from '../../ui/page.tsx';
import { FrontDoor } from '../sign-in/front-door.tsx';
import { AccessoriesStep } from './accessories-step.tsx';
import { ClaimStep } from './claim-step.tsx';
import { HomeStep } from './home-step.tsx';
import { PlaceStep } from './place-step.tsx';
import { type LaterStep, stepOf } from './steps.ts';
import { WelcomeQuery } from './welcome-documents.ts';

export function WelcomePage() {
  const session = useSession();
  if (session) return <LaterSteps />;
  return (
    <FrontDoor>
      <ClaimStep />
    </FrontDoor>
  );
}

/** For whoever owns it now. */
function LaterSteps() {
  const search = useSearch();
  const [, navigate] = useLocation();
  const query = useAsk(WelcomeQuery, {}, { subjects: ['account', 'house'] });
  const home = present(query.data?.homes).find(({ role }) => role === 'owner' || role === 'admin');
  const isNobodys = query.data !== undefined && home === undefined;
  useEffect(() => {
    // Somebody who came here by a link: there is nothing to set up for them.
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
          <FrontDoor wide={step === 'accessories'}>
            {step === 'home' && <HomeStep home={home} onNext={() => go('place')} />}
            {step === 'place' && <PlaceStep home={home} onBack={() => go('home')} onNext={() => go('accessories')} />}
            {step === 'accessories' && <AccessoriesStep homeId={home.id} onBack={() => go('place')} onDone={finish} />}
          </FrontDoor>
        );
      }}
    </Answer>
  );
}
