/** The editor with a suggestion: the name and what it sets can be changed before it is created. */
import scenesTexts from 'texts:scenes';
import { useState } from 'react';
import { useApiMutation } from '../../api/query.ts';
import { useHome } from '../../home/use-home.ts';
import { useTexts } from '../../texts/texts.ts';
import { Section } from '../../ui/page.tsx';
import { ActionEditor } from './action-editor.tsx';
import { NewSceneForm, useSceneCreated } from './new-scene-form.tsx';
import { CreateScene } from './scene-documents.ts';
import { isChanged, presentActions, type SceneDraft } from './scene-draft.ts';
import type { SceneSuggestion } from './scene-suggestions.ts';

export function SuggestedScene({ suggestion: { kind, actions } }: { readonly suggestion: SceneSuggestion }) {
  const t = useTexts(scenesTexts);
  const { id: homeId } = useHome();
  const [suggested] = useState<SceneDraft>({ name: t.suggestions[kind].name, icon: null, color: null, actions });
  const [draft, setDraft] = useState(suggested);
  const name = draft.name.trim();
  const created = useSceneCreated();
  const create = useApiMutation(CreateScene, {
    subjects: ['scenes', 'inventory'],
    onDone: ({ createScene }) => created(name, createScene),
  });
  return (
    <NewSceneForm
      isNarrow
      lead={t.suggestedLead}
      name={draft.name}
      onRename={(to) => setDraft({ ...draft, name: to })}
      isChanged={isChanged(draft, suggested)}
      setsNothing={draft.actions.length === 0}
      creating={create}
      onCreate={() => create.mutate({ homeId, name, actions: presentActions(draft) })}
    >
      <Section title={t.actions}>
        <ActionEditor draft={draft} onChange={setDraft} />
      </Section>
      {draft.actions.length === 0 && <p role="status">{t.atLeastOne}</p>}
    </NewSceneForm>
  );
}
