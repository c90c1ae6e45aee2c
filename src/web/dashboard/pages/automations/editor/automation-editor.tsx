/** The editor: its tools, the triggers, the conditions and the actions. */
import editorTexts from 'texts:automation-editor';
import flowTexts from 'texts:automation-flow';
import listTexts from 'texts:automations';
import { Button, Text } from '@mantine/core';
import { Eraser, FileCode2, FlaskConical, Redo2, Undo2 } from 'lucide-react';
import { lazy, Suspense, useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import { useLocation, useSearchParams } from 'wouter';
import { useHome } from '../../../home/use-home.ts';
import { useTexts } from '../../../texts/texts.ts';
import { BackLink } from '../../../ui/back-link.tsx';
import { Columns } from '../../../ui/columns.tsx';
import { useLeaveGuard } from '../../../ui/leave-guard.ts';
import { ErrorNotice, Page, Section } from '../../../ui/page.tsx';
import { showToast } from '../../../ui/toasts.tsx';
import { checkFlow, type Problem, problemsByNode, remainingProblems } from '../flow/check.ts';
import { type FlowRecord, isBlock, isList, isObject, nodesOf, textOf } from '../flow/flow-record.ts';
import { getAt, parsePath } from '../flow/paths.ts';
import { walkFlow } from '../flow/structure.ts';
import { suggestedName } from '../flow/suggested-name.ts';
import { useFlowNames, useSentences } from '../flow/use-sentences.ts';
import { LIST_PAGE, pageOf } from '../list/addresses.ts';
import { NoPlaceNotice } from '../list/no-place-notice.tsx';
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
import { TemplateGallery } from './template-gallery.tsx';
import { type StoredAutomation, useSave } from './use-save.ts';
import { useUndoKeys } from './use-undo-keys.ts';

const TextDialog = lazy(async () => ({ default: (await import('./text-dialog.tsx')).TextDialog }));
const TryPanel = lazy(async () => ({ default: (await import('./try-panel.tsx')).TryPanel }));

interface AutomationEditorProps {
  readonly saved: FlowRecord;
  /** What it begins with, if no unsaved changes are kept. */
  readonly begun?: FlowRecord;
  /** None for a new automation. */
  readonly stored?: StoredAutomation;
  readonly draftKey: string;
}

function Card(props: CardProps) {
  return props.of === 'condition' && isBlock(props.node) ? <BlockCard {...props} /> : <NodeCard {...props} />;
}

export function AutomationEditor({ saved, begun, stored, draftKey }: AutomationEditorProps) {
  const { kinds, fields, kindFields, choices } = useTexts(flowTexts);
  const texts = { ...useTexts(editorTexts), kinds, fields, kindFields, choices };
  const { title: listTitle } = useTexts(listTexts);
  const [, navigate] = useLocation();
  const [draft] = useState(() => (begun ? undefined : readDraft(draftKey)));
  const [search] = useSearchParams();
  const [session] = useState(() => {
    const made = new EditSession(saved, begun ?? draft?.flow);
    const step = parsePath(search.get('step') ?? '');
    if (step.length > 0 && isObject(getAt(made.flow, step))) made.show(step);
    return made;
  });
  const state = useSyncExternalStore(session.subscribe, session.get);
  const sentences = useSentences(state.flow.triggers);
  const names = useFlowNames();
  /** As it was when it was last to be saved. */
  const [checked, setChecked] = useState<FlowRecord>();
  const version = draft?.version ?? stored?.version;
  const saving = useSave(stored && { ...stored, version }, texts);
  const suggestion = stored ? '' : suggestedName(state.flow, sentences);
  const named = state.flow.name.trim() === '' ? { ...state.flow, name: suggestion } : state.flow;
  const problems = useMemo(() => checkFlow(named), [named]);
  const shownProblems = checked ? remainingProblems(checked, named, problems) : NO_PROBLEMS;
  useUndoKeys(session);
  useLeaveGuard(state.isChanged, texts.leave);
  useEffect(() => {
    if (state.isChanged) keepDraft(draftKey, { flow: state.flow, version });
    else dropDraft(draftKey);
  }, [state.isChanged, state.flow, version, draftKey]);

  const save = async () => {
    setChecked(named);
    const [first] = problems;
    if (first) {
      session.show(first.path);
      return;
    }
    const result = await saving.save(named);
    if (!result) return;
    dropDraft(draftKey);
    const isFlowNow = result.kind === 'flows' && stored?.kind !== 'flows';
    showToast({ text: isFlowNow ? texts.tools.savedAsFlow : texts.tools.saved });
    navigate(pageOf(result.kind, result.id));
  };
  /** The gallery disappears, so the first card gets the focus. */
  const chooseTemplate = (flow: FlowRecord) => {
    session.replace(flow);
    session.focus(['triggers', 0]);
  };
  const discard = () => {
    dropDraft(draftKey);
    session.replace(saved);
  };

  const editor: Editor = {
    ...{ Card, session, state, sentences, names, texts, flowId: stored?.id },
    problems: problemsByNode(shownProblems),
    refusal: saving.refusal,
  };
  return (
    <EditorProvider value={editor}>
      <Page
        title={stored ? texts.editTitle : texts.newTitle}
        above={
          <BackLink href={stored ? pageOf(stored.kind, stored.id) : LIST_PAGE}>
            {stored ? saved.name : listTitle}
          </BackLink>
        }
        narrow
      >
        <Toolbar editor={editor} isBusy={saving.isBusy} save={() => void save()} discard={discard} />
        {draft && state.isChanged && (
          <Text c="dimmed" className="h-anywhere">
            {texts.draftFound}
          </Text>
        )}
        <div role="status" className={classes.status}>
          {shownProblems.length > 0 && (
            <Text c="var(--h-bad-ink)" className="h-anywhere">
              {texts.attention({ count: shownProblems.length })}
            </Text>
          )}
          {saving.refusal && (
            <Text c="var(--h-bad-ink)" className="h-anywhere">
              {saving.refusal.sentence}
            </Text>
          )}
        </div>
        {saving.error !== undefined && <ErrorNotice error={saving.error} />}
        {!stored && isEmpty(state.flow) && <TemplateGallery choose={chooseTemplate} />}
        <DragBlocks>
          <Columns
            second={
              <>
                <Acts texts={texts} flow={state.flow} />
                <DetailsSection />
              </>
            }
          >
            <NameField suggestion={suggestion} />
            <Causes texts={texts} flow={state.flow} />
          </Columns>
        </DragBlocks>
      </Page>
    </EditorProvider>
  );
}

const NO_PROBLEMS: readonly Problem[] = [];

function isEmpty({ triggers, actions, conditions }: FlowRecord): boolean {
  return triggers.length === 0 && actions.length === 0 && nodesOf(conditions.conditions).length === 0;
}

/** Kinds that need the home's place. */
const OF_PLACE: ReadonlySet<string> = new Set(['sun', 'location']);

interface PartsProps {
  readonly texts: EditorTexts;
  readonly flow: FlowRecord;
}

/** When it runs. */
function Causes({ texts: { sections }, flow }: PartsProps) {
  const { latitude } = useHome();
  const needsPlace = latitude == null && [...walkFlow(flow)].some(({ node }) => OF_PLACE.has(textOf(node, 'type')));
  return (
    <>
      {needsPlace && <NoPlaceNotice />}
      <Section
        title={sections.triggers}
        lead={flow.triggers.length === 0 ? sections.noTriggers : sections.triggersLead}
      >
        <NodeList of="trigger" list={flow.triggers} path={TRIGGERS} label={sections.triggers} />
        <NextTimes flow={flow} />
      </Section>
      <Section
        title={sections.conditions}
        lead={nodesOf(flow.conditions.conditions).length === 0 ? sections.noConditions : sections.conditionsLead}
      >
        <ConditionBlock block={flow.conditions} path={CONDITIONS} label={sections.conditions} />
      </Section>
    </>
  );
}

/** What it does, and until when. */
function Acts({ texts: { sections, add }, flow }: PartsProps) {
  return (
    <>
      <Section title={sections.actions} lead={flow.actions.length === 0 ? sections.noActions : sections.actionsLead}>
        <NodeList of="action" list={flow.actions} path={ACTIONS} label={sections.actions} />
      </Section>
      {isList(flow.until) && (
        <Section title={sections.until} lead={flow.until.length === 0 ? sections.noUntil : sections.untilLead}>
          <NodeList of="trigger" list={flow.until} path={UNTIL} label={sections.until} isInWait add={add.end} />
        </Section>
      )}
    </>
  );
}

const TRIGGERS = ['triggers'] as const;
const CONDITIONS = ['conditions'] as const;
const ACTIONS = ['actions'] as const;
const UNTIL = ['until'] as const;

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
