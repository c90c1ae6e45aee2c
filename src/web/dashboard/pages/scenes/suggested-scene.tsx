/** The editor with a suggestion: the name and what it sets can be changed before it is created. */
import commonTexts from 'texts:common';
import scenesTexts from 'texts:scenes';
import { Button, Group, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { MAX_NAME_LENGTH } from '../../../../home/vocabulary/limits.ts';
import { useApiMutation } from '../../api/query.ts';
import { useHome } from '../../home/use-home.ts';
import { useTexts } from '../../texts/texts.ts';
import { useLeaveGuard } from '../../ui/leave-guard.ts';
import { ErrorNotice, Page, Section } from '../../ui/page.tsx';
import { showToast } from '../../ui/toasts.tsx';
import { ActionEditor } from './action-editor.tsx';
import { CreateScene } from './scene-documents.ts';
import { isChanged, presentActions, type SceneDraft } from './scene-draft.ts';
import type { SceneSuggestion } from './scene-suggestions.ts';

export function SuggestedScene({ suggestion: { kind, actions } }: { readonly suggestion: SceneSuggestion }) {
  const t = useTexts(scenesTexts);
  const common = useTexts(commonTexts);
  const { id: homeId } = useHome();
  const [, go] = useLocation();
  const [suggested] = useState<SceneDraft>({ name: t.suggestions[kind].name, icon: null, color: null, actions });
  const [draft, setDraft] = useState(suggested);
  const name = draft.name.trim();
  const create = useApiMutation(CreateScene, {
    subjects: ['scenes', 'inventory'],
    onDone: ({ createScene }) => {
      showToast({ text: t.made({ name }) });
      go(createScene ? `/scenes/${createScene.id}` : '/scenes');
    },
  });
  useLeaveGuard(isChanged(draft, suggested) && !create.isSuccess);
  return (
    <Page title={t.newTitle} lead={t.suggestedLead} narrow>
      <Stack gap="lg">
        <TextInput
          label={t.name}
          required
          maxLength={MAX_NAME_LENGTH}
          value={draft.name}
          onChange={({ currentTarget }) => setDraft({ ...draft, name: currentTarget.value })}
        />
        <Section title={t.actions} lead={t.actionsText}>
          <ActionEditor draft={draft} onChange={setDraft} />
        </Section>
        {create.error && <ErrorNotice error={create.error} />}
        {draft.actions.length === 0 && <p role="status">{t.atLeastOne}</p>}
        <Group>
          <Button
            loading={create.isPending}
            disabled={name === '' || draft.actions.length === 0}
            onClick={() => create.mutate({ homeId, name, actions: presentActions(draft) })}
          >
            {t.capture}
          </Button>
          <Button variant="default" onClick={() => go('/scenes')}>
            {common.cancel}
          </Button>
        </Group>
      </Stack>
    </Page>
  );
}
