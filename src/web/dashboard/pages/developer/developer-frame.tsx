/**
 * The frame of all developer pages: their tabs, and a notice if Developer Mode is off or the role does not permit them.
 */

import developerTexts from 'texts:developer';
import { Button } from '@mantine/core';
import { CodeXml } from 'lucide-react';
import type { ReactNode } from 'react';
import { useManagesHome, useSettings, useUpdateSettings } from '../../account/account.ts';
import { useTexts } from '../../texts/texts.ts';
import { EmptyState, ErrorNotice, Page } from '../../ui/page.tsx';
import { TabLinks } from '../../ui/tab-links.tsx';

interface DeveloperFrameProps {
  readonly lead: string;
  readonly children: ReactNode;
}

export function DeveloperFrame({ lead, children }: DeveloperFrameProps) {
  const t = useTexts(developerTexts);
  const { developerMode } = useSettings();
  const isManager = useManagesHome();
  if (!isManager || !developerMode) {
    return (
      <Page title={t.title} narrow>
        <Gate isManager={isManager} />
      </Page>
    );
  }
  const links = [
    { path: '/developer', text: t.tabs.tools },
    { path: '/developer/events', text: t.tabs.events },
    { path: '/developer/expressions', text: t.tabs.expressions },
  ];
  return (
    <Page title={t.title} lead={lead} narrow>
      <TabLinks label={t.tabs.label} links={links} />
      {children}
    </Page>
  );
}

function Gate({ isManager }: { readonly isManager: boolean }) {
  const { gate: t } = useTexts(developerTexts);
  const update = useUpdateSettings();
  if (!isManager) {
    return (
      <EmptyState icon={<CodeXml size={32} />} title={t.title}>
        {t.notManager}
      </EmptyState>
    );
  }
  return (
    <EmptyState
      icon={<CodeXml size={32} />}
      title={t.title}
      action={
        <Button loading={update.isPending} onClick={() => update.mutate({ data: { developerMode: true } })}>
          {t.switchOn}
        </Button>
      }
    >
      {t.text}
      {update.error && <ErrorNotice error={update.error} />}
    </EmptyState>
  );
}
