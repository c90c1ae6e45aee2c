/** The context of every card and field in the editor: the session, the sentences, and the errors by place. */

import type { Catalogues } from 'texts:types';
import { type ComponentType, createContext, type ReactNode, useContext } from 'react';
import type { Problem } from '../flow/check.ts';
import type { FlowNode } from '../flow/flow-record.ts';
import { type Path, pathText } from '../flow/paths.ts';
import type { FlowRefusal } from '../flow/refusals.ts';
import type { NodeRole } from '../flow/structure.ts';
import type { BoundSentences, FlowNames } from '../flow/use-sentences.ts';
import type { EditSession, EditState } from './edit-session.ts';

/** The texts of the editor, and those of the kinds of nodes and their fields. */
export type EditorTexts = Catalogues['automation-editor'] &
  Pick<Catalogues['automation-flow'], 'kinds' | 'fields' | 'kindFields' | 'choices'>;

/** A node in its list. */
export interface CardProps {
  readonly of: NodeRole;
  readonly node: FlowNode;
  readonly path: Path;
  readonly index: number;
  readonly count: number;
  /** The drop target before the node. */
  readonly gap: ReactNode;
}

export interface Editor {
  /** The component that renders a node; passed in, because lists and nodes contain each other. */
  readonly Card: ComponentType<CardProps>;
  readonly session: EditSession;
  readonly state: EditState;
  readonly sentences: BoundSentences;
  readonly names: FlowNames;
  readonly texts: EditorTexts;
  /** The flow's own id; none before the first save. */
  readonly flowId: string | undefined;
  /** By the node's place; shown after the first attempt to save, or when a card closes. */
  readonly problems: ReadonlyMap<string, readonly Problem[]>;
  readonly refusal: FlowRefusal | undefined;
}

const Context = createContext<Editor | undefined>(undefined);

export const EditorProvider = Context.Provider;

export function useEditor(): Editor {
  const editor = useContext(Context);
  if (!editor) throw new Error('There is no editor around this');
  return editor;
}

/** The error text of a field; none if it is valid. */
export function useFieldError(path: Path, name: string): string | undefined {
  const { problems, refusal, texts } = useEditor();
  if (refusal && refusal.field === name && pathText(refusal.path) === pathText(path)) return refusal.sentence;
  const problem = problems.get(pathText(path))?.find(({ field }) => field === name);
  return problem && texts.problems[problem.key];
}

/** The errors of the node itself. */
export function useNodeErrors(path: Path): readonly string[] {
  const { problems, refusal, texts } = useEditor();
  const place = pathText(path);
  const own = (problems.get(place) ?? []).map(({ key }) => texts.problems[key]);
  return refusal && pathText(refusal.path) === place ? [refusal.sentence, ...own] : own;
}
