/** The start of a new flow: an empty one, or a template for which this home has all accessories. */

import editorTexts from 'texts:automation-editor';
import { FilePlus2, Wand2 } from 'lucide-react';
import { useHome } from '../../../home/use-home.ts';
import { useTexts } from '../../../texts/texts.ts';
import { Page } from '../../../ui/page.tsx';
import { emptyFlow, type FlowRecord } from '../flow/flow-record.ts';
import { templatesFor } from '../flow/templates.ts';
import { useSentences } from '../flow/use-sentences.ts';
import classes from './editor.module.css';

export function StartChoices({ choose }: { readonly choose: (flow: FlowRecord) => void }) {
  const t = useTexts(editorTexts);
  const inventory = useHome();
  const sentences = useSentences();
  const templates = [...templatesFor(inventory, t.templates)];
  return (
    <Page title={t.newTitle} lead={t.start.lead} narrow>
      <ul className={classes.starts} aria-label={t.start.title}>
        <li>
          <button type="button" className={classes.offer} onClick={() => choose(emptyFlow(t.newName))}>
            <span className={classes.icon} data-role="action">
              <FilePlus2 aria-hidden />
            </span>
            <span className={classes.offerText}>
              <strong>{t.start.empty}</strong>
              <span>{t.start.emptyPurpose}</span>
            </span>
          </button>
        </li>
        {templates.map(([key, flow]) => (
          <li key={key}>
            <button type="button" className={classes.offer} onClick={() => choose(flow)}>
              <span className={classes.icon} data-role="trigger">
                <Wand2 aria-hidden />
              </span>
              <span className={classes.offerText}>
                <strong>{flow.name}</strong>
                <span>
                  {[
                    ...flow.triggers.slice(0, 1).map(sentences.trigger),
                    ...flow.actions.slice(0, 2).map(sentences.action),
                  ].join(' · ')}
                </span>
              </span>
            </button>
          </li>
        ))}
      </ul>
    </Page>
  );
}
