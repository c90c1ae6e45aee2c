/** The progress of the setup. */

import welcomeTexts from 'texts:welcome';
import { useTexts } from '../../texts/texts.ts';
import { type SetupStep, STEPS } from './steps.ts';
import classes from './welcome.module.css';

export function StepProgress({ step }: { readonly step: SetupStep }) {
  const t = useTexts(welcomeTexts);
  const at = STEPS.indexOf(step);
  return (
    <div className={classes.progress}>
      <p>{t.step({ number: at + 1, of: STEPS.length })}</p>
      <div className={classes.bar} aria-hidden>
        {STEPS.map((each, index) => (
          <span key={each} data-done={index <= at || undefined} />
        ))}
      </div>
    </div>
  );
}
