/** Templates for a new automation: those for which this home has all accessories. */
import editorTexts from 'texts:automation-editor';
import { Wand2 } from 'lucide-react';
import { useHome } from '../../../home/use-home.ts';
import { useTexts } from '../../../texts/texts.ts';
import { Section } from '../../../ui/page.tsx';
import type { FlowRecord } from '../flow/flow-record.ts';
import { templatesFor } from '../flow/templates.ts';
import { useSentences } from '../flow/use-sentences.ts';
import classes from './editor.module.css';

export function TemplateGallery({ choose }: { readonly choose: (flow: FlowRecord) => void }) {
  const t = useTexts(editorTexts);
  const inventory = useHome();
  const sentences = useSentences();
  const templates = [...templatesFor(inventory, t.templates)];
  if (templates.length === 0) return null;
  return (
    <Section title={t.start.title} lead={t.start.lead}>
      <ul className={classes.starts}>
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
    </Section>
  );
}
