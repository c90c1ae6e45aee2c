/** The editor: its tools, the triggers, the conditions and the actions. */
import editorTexts from 'texts:automation-editor';
import flowTexts from 'texts:automation-flow';
import { Button, Text } from '@mantine/core';
import { Eraser, FileCode2, FlaskConical, Redo2, Undo2 } from 'lucide-react';
import { lazy, Suspense, useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import { useLocation } from 'wouter';
import { useTexts } from '../../../texts/texts.ts';
import { useLeaveGuard } from '../../../ui/leave-guard.ts';
import { ErrorNotice, Page, Section } from '../../../ui/page.tsx';
import { showToast } from '../../../ui/toasts.tsx';
import { checkFlow, problemsByNode } from '../flow/check.ts';
import { type FlowRecord, isBlock } from '../flow/flow-record.ts';
import { useFlowNames, useSentences } from '../flow/use-sentences.ts';
import { BlockCard } from './block-card.tsx';
import { ConditionBlock } from './condition-block.tsx';
import { DetailsSection, NameField } from './details-section.tsx';
import { dropDraft, keepDraft, readDraft } from './draft-store.ts';
import { DragBlocks } from './drag-blocks.tsx';
import { EditSession } from './edit-session.ts';
import classes from './editor.module.css';
import { type CardProps, type Editor, EditorProvider, type EditorTexts } from './editor-context.tsx';
import { NextTimes } from './next-times.tsx';
import { NodeCard } from './node-card.tsx';
import { NodeList } from './node-list.tsx';
import { useSaveFlow } from './use-save-flow.ts';
import { useUndoKeys } from './use-undo-keys.ts';

const TextDialog = lazy(async () => ({ default: (await import('./text-dialog.tsx')).TextDialog }));
const TryPanel = lazy(async () => ({ default: (await import('./try-panel.tsx')).TryPanel }));

interface FlowEditorProps {
  readonly saved: FlowRecord;
  /** The version at the time of loading. */
  readonly version: number | undefined;
  readonly flowId: string | undefined;
  readonly draftKey: string;
  /** For a new flow: returns to the start choices. */
  readonly startOver?: () => void;
}

function Card(props: CardProps) {
  return props.of === 'condition' && isBlock(props.node) ? <BlockCard {...props} /> : <NodeCard {...props} />;
}

export function FlowEditor({ saved, version, flowId, draftKey, startOver }: FlowEditorProps) {
  const { kinds, fields, kindFields, choices } = useTexts(flowTexts);
  const texts = { ...useTexts(editorTexts), kinds, fields, kindFields, choices };
  const [, navigate] = useLocation();
  const [draft] = useState(() => readDraft(draftKey));
  const [session] = useState(() => new EditSession(saved, draft?.flow));
  const state = useSyncExternalStore(session.subscribe, session.get);
  const sentences = useSentences(state.flow.triggers);
  const names = useFlowNames();
  const [isChecked, setChecked] = useState(false);
  const saving = useSaveFlow(flowId, draft?.version ?? version, texts);
  const problems = useMemo(() => checkFlow(state.flow), [state.flow]);
  useUndoKeys(session);
  useLeaveGuard(state.isChanged, texts.leave);
  useEffect(() => {
    if (state.isChanged) keepDraft(draftKey, { flow: state.flow, version: draft?.version ?? version });
    else dropDraft(draftKey);
  }, [state.isChanged, state.flow, version, draft, draftKey]);

  const save = async () => {
    setChecked(true);
    const [first] = problems;
    if (first) {
      session.show(first.path);
      return;
    }
    const result = await saving.save(state.flow);
    if (!result) return;
    dropDraft(draftKey);
    showToast({ text: texts.tools.saved });
    navigate(`/automations/flows/${result.id}`);
  };
  const discard = () => {
    dropDraft(draftKey);
    if (startOver) startOver();
    else session.replace(saved);
  };

  const editor: Editor = {
    ...{ Card, session, state, sentences, names, texts, flowId },
    problems: isChecked ? problemsByNode(problems) : NOTHING_WRONG,
    refusal: saving.refusal,
  };
  return (
    <EditorProvider value={editor}>
      <Page title={flowId === undefined ? texts.newTitle : texts.editTitle} lead={texts.lead} narrow>
        <Toolbar editor={editor} isBusy={saving.isBusy} save={() => void save()} discard={discard} />
        {draft && state.isChanged && (
          <Text c="dimmed" className="h-anywhere">
            {texts.draftFound}
          </Text>
        )}
        <div role="status">
          {isChecked && problems.length > 0 && (
            <Text c="var(--h-bad-ink)" className="h-anywhere">
              {texts.attention({ count: problems.length })}
            </Text>
          )}
          {saving.refusal && (
            <Text c="var(--h-bad-ink)" className="h-anywhere">
              {saving.refusal.sentence}
            </Text>
          )}
        </div>
        {saving.error !== undefined && <ErrorNotice error={saving.error} />}
        <NameField />
        <DragBlocks>
          <Parts texts={texts} flow={state.flow} />
        </DragBlocks>
        <DetailsSection />
      </Page>
    </EditorProvider>
  );
}

const NOTHING_WRONG: Editor['problems'] = new Map();

function Parts({ texts: { sections }, flow }: { readonly texts: EditorTexts; readonly flow: FlowRecord }) {
  return (
    <>
      <Section title={sections.triggers} lead={sections.triggersLead}>
        <NodeList
          of="trigger"
          list={flow.triggers}
          path={TRIGGERS}
          label={sections.triggers}
          empty={sections.noTriggers}
        />
        <NextTimes flow={flow} />
      </Section>
      <Section title={sections.conditions} lead={sections.conditionsLead}>
        <ConditionBlock
          block={flow.conditions}
          path={CONDITIONS}
          label={sections.conditions}
          empty={sections.noConditions}
        />
      </Section>
      <Section title={sections.actions} lead={sections.actionsLead}>
        <NodeList of="action" list={flow.actions} path={ACTIONS} label={sections.actions} empty={sections.noActions} />
      </Section>
    </>
  );
}

const TRIGGERS = ['triggers'] as const;
const CONDITIONS = ['conditions'] as const;
const ACTIONS = ['actions'] as const;

interface ToolbarProps {
  readonly editor: Editor;
  readonly isBusy: boolean;
  save(): void;
  discard(): void;
}

function Toolbar({ editor: { session, state, texts, flowId }, isBusy, save, discard }: ToolbarProps) {
  const [panel, setPanel] = useState<'text' | 'try'>();
  const { tools } = texts;
  const close = () => setPanel(undefined);
  const isUnsaved = state.isChanged || flowId === undefined;
  return (
    <div className={classes.toolbar}>
      <div className={classes.toolGroup}>
        <button
          type="button"
          className={classes.iconButton}
          aria-label={tools.undo}
          title={tools.undo}
          disabled={!state.canUndo}
          onClick={() => session.undo()}
        >
          <Undo2 aria-hidden />
        </button>
        <button
          type="button"
          className={classes.iconButton}
          aria-label={tools.redo}
          title={tools.redo}
          disabled={!state.canRedo}
          onClick={() => session.redo()}
        >
          <Redo2 aria-hidden />
        </button>
        <button
          type="button"
          className={classes.iconButton}
          aria-label={tools.text}
          title={tools.text}
          onClick={() => setPanel('text')}
        >
          <FileCode2 aria-hidden />
        </button>
        {isUnsaved && (
          <button
            type="button"
            className={classes.iconButton}
            aria-label={tools.discard}
            title={tools.discard}
            onClick={discard}
          >
            <Eraser aria-hidden />
          </button>
        )}
      </div>
      <div className={classes.toolGroup}>
        <Button
          variant="default"
          aria-label={tools.tryIt}
          leftSection={<FlaskConical size={18} aria-hidden />}
          className={classes.tryButton ?? ''}
          onClick={() => setPanel('try')}
        >
          <span className={classes.wideOnly}>{tools.tryIt}</span>
        </Button>
        <Button onClick={save} loading={isBusy} disabled={!isUnsaved}>
          {tools.save}
        </Button>
      </div>
      <Suspense>
        {panel === 'text' && <TextDialog close={close} />}
        {panel === 'try' && <TryPanel close={close} />}
      </Suspense>
    </div>
  );
}
