/** The progress of the setup. */
import { useTexts } from '../../texts/texts.ts';
import { STEPS, type Step } from './steps.ts';
import { welcomeTexts } from './texts/texts.ts';
import classes from './welcome.module.css';

export function StepProgress({ step }: { readonly step: Step }) {
  const t = useTexts(welcomeTexts);
  const at = STEPS.indexOf(step);
  return (
    <div className={classes.progress}>
      <p>{t.step(at + 1, STEPS.length)}</p>
      <div className={classes.bar} aria-hidden>
        {STEPS.map((each, index) => (
          <span key={each} data-done={index <= at || undefined} />
        ))}
      </div>
    </div>
  );
}
