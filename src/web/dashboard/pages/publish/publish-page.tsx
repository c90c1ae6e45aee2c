/** The home in Apple Home, Alexa and others: each publication with its codes and its controllers. */

import connectionsTexts from 'texts:connections';
import publishTexts from 'texts:publish';
import { Button } from '@mantine/core';
import { Cast, Plus } from 'lucide-react';
import { useState } from 'react';
import { present } from '../../api/graphql.ts';
import { useApiQuery } from '../../api/query.ts';
import { useHome, useRights } from '../../home/use-home.ts';
import { useTexts } from '../../texts/texts.ts';
import { useAsked } from '../../ui/asked.ts';
import { BackLink } from '../../ui/back-link.tsx';
import { CardRows } from '../../ui/columns.tsx';
import { Answer, EmptyState, Page } from '../../ui/page.tsx';
import { freeName } from './publication.ts';
import { PublicationCard } from './publication-card.tsx';
import { PublicationDialog } from './publication-dialog.tsx';
import { type Publication, PublicationsQuery } from './publish-documents.ts';

/** No live event reports the connections of controllers. */
const ASK_EVERY_MS = 5_000;

export function PublishPage() {
  const t = useTexts(publishTexts);
  const { canManage } = useRights();
  if (canManage) return <Publications />;
  return (
    <Page title={t.title} above={<Back />} narrow>
      <EmptyState icon={<Cast size={32} />} title={t.onlyManagersTitle}>
        {t.onlyManagers}
      </EmptyState>
    </Page>
  );
}

function Back() {
  const t = useTexts(connectionsTexts);
  return <BackLink href="/connections">{t.title}</BackLink>;
}

function Publications() {
  const t = useTexts(publishTexts);
  const { id: homeId, name: homeName } = useHome();
  const [opened, setOpened] = useState<{ readonly publication?: Publication }>();
  useAsked(() => setOpened({}));
  const query = useApiQuery(PublicationsQuery, { homeId }, { subjects: ['publications'], everyMs: ASK_EVERY_MS });
  const publications = present(query.data?.publications);
  const add = (
    <Button leftSection={<Plus size={18} aria-hidden />} onClick={() => setOpened({})}>
      {t.publish}
    </Button>
  );
  return (
    <Page title={t.title} lead={t.lead} above={<Back />} actions={publications.length > 0 && add} narrow>
      <Answer query={query}>
        {() =>
          publications.length === 0 ? (
            <EmptyState icon={<Cast size={32} />} title={t.emptyTitle} action={add}>
              {t.empty}
            </EmptyState>
          ) : (
            <CardRows>
              {publications.map((publication) => (
                <PublicationCard
                  key={publication.id}
                  publication={publication}
                  onEdit={() => setOpened({ publication })}
                />
              ))}
            </CardRows>
          )
        }
      </Answer>
      {opened && (
        <PublicationDialog
          {...opened}
          suggestedName={freeName(homeName, publications)}
          onClose={() => setOpened(undefined)}
        />
      )}
    </Page>
  );
}
