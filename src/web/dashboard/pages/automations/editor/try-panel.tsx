/** What the draft would do if it were set off now. Nothing of it is done. */
import { Modal, Stack } from '@mantine/core';
import { graphql } from '../../../api/graphql.ts';
import { useAsk } from '../../../api/query.ts';
import { useHouse } from '../../../house/use-house.ts';
import { useFormat } from '../../../texts/format.ts';
import { Answer } from '../../../ui/page.tsx';
import type { FlowNode } from '../flow/flow-record.ts';
import type { BoundSentences } from '../flow/use-sentences.ts';
import classes from './editor.module.css';
import { useEditor } from './editor-context.tsx';
import { readTrial, type TrialEntry } from './trial.ts';

const TrialQuery = graphql(`
  query TrialOfDraft($homeId: String!, $data: JSON!, $scenario: JSON) {
    simulateFlow(homeId: $homeId, data: $data, scenario: $scenario) {
      startedAt
      stopped
      writes
      notifications
      requests
      events
      commands
      nextFireDates
    }
  }
`);

/** Set off at once, whatever would have set it off; conditions count as they are now. */
const SET_OFF_NOW = { trigger: {} };

export function TryPanel({ close }: { readonly close: () => void }) {
  const { state, say, texts } = useEditor();
  const format = useFormat();
  const { id: homeId } = useHouse();
  const query = useAsk(TrialQuery, { homeId, data: state.flow, scenario: SET_OFF_NOW }, { subjects: [] });
  const { tryPanel } = texts;
  return (
    <Modal opened onClose={close} title={tryPanel.title} size="lg">
      <Stack>
        <p className={classes.hint}>{tryPanel.lead}</p>
        <Answer query={query}>
          {({ simulateFlow: trial }) => {
            if (!trial) return null;
            const entries = readTrial(trial);
            const began = Date.parse(trial.startedAt);
            return (
              <>
                {trial.stopped && <p className={classes.error}>{trial.stopped}</p>}
                {entries.length === 0 && <p className={classes.hint}>{tryPanel.nothing}</p>}
                <ol className={classes.trial}>
                  {entries.map((entry, index) => (
                    <li key={index}>
                      <span className={classes.dim}>
                        {entry.at - began < 500 ? tryPanel.atOnce : tryPanel.after(format.duration(entry.at - began))}
                      </span>
                      <span>{sentenceOf(entry, say)}</span>
                      {entry.is === 'write' && entry.error && <span className={classes.error}>{entry.error}</span>}
                    </li>
                  ))}
                </ol>
                {trial.nextFireDates.length > 0 && (
                  <p className={classes.next}>
                    {tryPanel.next}: {format.list(trial.nextFireDates.map((at) => format.soon(at)))}
                  </p>
                )}
              </>
            );
          }}
        </Answer>
      </Stack>
    </Modal>
  );
}

/** In the words of the step that does such a thing. */
function sentenceOf(entry: TrialEntry, say: BoundSentences): string {
  switch (entry.is) {
    case 'write':
      return say.action(writeNode(entry.node));
    case 'notice':
      return say.action({ type: 'notify', message: entry.message });
    case 'request':
      return say.action({ ...entry.node, type: 'fire_webhook' });
    case 'event':
      return say.action({ ...entry.node, type: 'fire_event' });
    case 'command':
      return say.action({ type: 'toggle_automation', automationId: entry.name, action: entry.action });
  }
}

function writeNode(node: FlowNode): FlowNode {
  if (typeof node.operation === 'string') return { ...node, type: 'virtual' };
  return { ...node, type: 'set_characteristic' };
}
