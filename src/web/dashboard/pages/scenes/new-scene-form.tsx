/** The page of a new scene: its name, what it sets, and the buttons. */
import commonTexts from 'texts:common';
import scenesTexts from 'texts:scenes';
import { Button, Stack, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { useLocation } from 'wouter';
import { MAX_NAME_LENGTH } from '../../../../home/vocabulary/limits.ts';
import { useTexts } from '../../texts/texts.ts';
import { BackLink } from '../../ui/back-link.tsx';
import { Columns } from '../../ui/columns.tsx';
import { FormActions } from '../../ui/form-actions.tsx';
import { useLeaveGuard } from '../../ui/leave-guard.ts';
import { ErrorNotice, Page } from '../../ui/page.tsx';
import { showToast } from '../../ui/toasts.tsx';

interface NewSceneFormProps {
  readonly lead: string;
  readonly name: string;
  readonly onRename: (name: string) => void;
  /** Leaving the page asks first. */
  readonly isChanged: boolean;
  readonly setsNothing: boolean;
  readonly creating: { readonly error: unknown; readonly isPending: boolean; readonly isSuccess: boolean };
  readonly onCreate: () => void;
  /** What it sets is a list, which is easier to read in a narrow column. */
  readonly isNarrow?: boolean;
  readonly children: ReactNode;
}

export function NewSceneForm({
  lead,
  name,
  onRename,
  isChanged,
  setsNothing,
  creating,
  isNarrow = false,
  ...rest
}: NewSceneFormProps) {
  const t = useTexts(scenesTexts);
  const common = useTexts(commonTexts);
  const [, go] = useLocation();
  useLeaveGuard(isChanged && !creating.isSuccess);
  const field = (
    <TextInput
      label={t.name}
      placeholder={t.namePlaceholder}
      required
      maw={780}
      maxLength={MAX_NAME_LENGTH}
      value={name}
      onChange={({ currentTarget }) => onRename(currentTarget.value)}
    />
  );
  const content = (
    <>
      {rest.children}
      {creating.error ? <ErrorNotice error={creating.error} /> : null}
    </>
  );
  return (
    <Page title={t.newTitle} lead={lead} above={<BackLink href="/scenes">{t.back}</BackLink>} narrow={isNarrow}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          rest.onCreate();
        }}
      >
        <Stack gap="lg">
          {isNarrow ? (
            <Columns second={content}>{field}</Columns>
          ) : (
            <>
              {field}
              {content}
            </>
          )}
          <FormActions>
            <Button type="submit" loading={creating.isPending} disabled={name.trim() === '' || setsNothing}>
              {t.capture}
            </Button>
            <Button variant="default" onClick={() => go('/scenes')}>
              {common.cancel}
            </Button>
          </FormActions>
        </Stack>
      </form>
    </Page>
  );
}

/** Announces the new scene, and goes to its page. */
export function useSceneCreated(): (name: string, scene: { readonly id: string } | null | undefined) => void {
  const t = useTexts(scenesTexts);
  const [, go] = useLocation();
  return (name, scene) => {
    showToast({ text: t.made({ name }) });
    go(scene ? `/scenes/${scene.id}` : '/scenes');
  };
}
