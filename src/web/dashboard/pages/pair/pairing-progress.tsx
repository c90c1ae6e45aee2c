/** The steps of a pairing, shown during it. */

import pairTexts from 'texts:pair';
import { Check } from 'lucide-react';
import { useTexts } from '../../texts/texts.ts';
import { Heading } from '../sign-in/heading.tsx';
import classes from './pair.module.css';
import { PAIRING_STEPS, type PairingStep } from './pairing-answer.ts';

const SHOWN = PAIRING_STEPS.filter((step) => step !== 'done');

export function PairingProgress({ name, step }: { readonly name: string; readonly step: PairingStep | undefined }) {
  const t = useTexts(pairTexts);
  const now = step === undefined ? 0 : PAIRING_STEPS.indexOf(step);
  return (
    <>
      <Heading level={2} title={t.pairing({ name })} lead={t.pairingText} takesFocus />
      <p role="status" style={HIDDEN}>
        {t.steps[step ?? 'connecting']}
      </p>
      <ol className={classes.steps}>
        {SHOWN.map((each, index) => (
          <li
            key={each}
            className={classes.step}
            data-state={index < now ? 'done' : index === now ? 'now' : 'later'}
            aria-current={index === now ? 'step' : undefined}
          >
            <span className={classes.dot} aria-hidden>
              {index < now ? <Check size={16} /> : index + 1}
            </span>
            {t.steps[each]}
          </li>
        ))}
      </ol>
    </>
  );
}

const HIDDEN = { position: 'absolute', width: 1, height: 1, overflow: 'hidden', clipPath: 'inset(50%)' } as const;
