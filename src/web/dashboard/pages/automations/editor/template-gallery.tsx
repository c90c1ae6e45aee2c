/** Templates for a new automation: those for which this home has all accessories, and the way to the blueprints. */
import editorTexts from 'texts:automation-editor';
import listTexts from 'texts:automations';
import { ClipboardList } from 'lucide-react';
import { Link } from 'wouter';
import { useHome } from '../../../home/use-home.ts';
import { useTexts } from '../../../texts/texts.ts';
import { Section } from '../../../ui/page.tsx';
import { BLUEPRINTS_PAGE } from '../blueprints/addresses.ts';
import type { FlowRecord } from '../flow/flow-record.ts';
import { useNodeIcon } from '../flow/node-icon.ts';
import { templatesFor } from '../flow/templates.ts';
import { useSentences } from '../flow/use-sentences.ts';
import classes from './editor.module.css';

export function TemplateGallery({ choose }: { readonly choose: (flow: FlowRecord) => void }) {
  const t = useTexts(editorTexts);
  const list = useTexts(listTexts);
  const inventory = useHome();
  const templates = [...templatesFor(inventory, t.templates)];
  return (
    <Section title={t.start.title} lead={t.start.lead}>
      <ul className={classes.starts}>
        {templates.map(([key, flow]) => (
          <li key={key}>
            <Template flow={flow} choose={() => choose(flow)} />
          </li>
        ))}
        <li>
          <Link className={classes.offer} href={BLUEPRINTS_PAGE}>
            <span className={classes.icon} data-role="trigger">
              <ClipboardList aria-hidden />
            </span>
            <span className={classes.offerText}>
              <strong>{list.blueprint}</strong>
              <span>{list.blueprintWhat}</span>
            </span>
          </Link>
        </li>
      </ul>
    </Section>
  );
}

function Template({ flow, choose }: { readonly flow: FlowRecord; readonly choose: () => void }) {
  const sentences = useSentences();
  const [trigger = {}] = flow.triggers;
  const Icon = useNodeIcon('trigger', trigger);
  return (
    <button type="button" className={classes.offer} onClick={choose}>
      <span className={classes.icon} data-role="trigger">
        <Icon aria-hidden />
      </span>
      <span className={classes.offerText}>
        <strong>{flow.name}</strong>
        <span>{[sentences.trigger(trigger), ...flow.actions.slice(0, 2).map(sentences.action)].join(' · ')}</span>
      </span>
    </button>
  );
}
