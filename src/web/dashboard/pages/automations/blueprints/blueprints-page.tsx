/** The blueprints of the relay, and the way to those of files. */
import blueprintTexts from 'texts:automation-blueprints';
import listTexts from 'texts:automations';
import { Button, SimpleGrid } from '@mantine/core';
import { ClipboardList, FileUp, Lock } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { Link, useLocation } from 'wouter';
import type { OfferedBlueprint } from '../../../../../contract/blueprints.ts';
import { present } from '../../../api/graphql.ts';
import { useApiQuery } from '../../../api/query.ts';
import { useNamedIcon } from '../../../devices/icons/device-icon.ts';
import { useHome, useRights } from '../../../home/use-home.ts';
import { useFormat } from '../../../texts/format.ts';
import { useLanguage } from '../../../texts/language.ts';
import { useTexts } from '../../../texts/texts.ts';
import { BackLink } from '../../../ui/back-link.tsx';
import { Answer, EmptyState, Page } from '../../../ui/page.tsx';
import { LIST_PAGE } from '../list/addresses.ts';
import { BLUEPRINTS_PAGE, blueprintPageOf } from './addresses.ts';
import { BlueprintForm } from './blueprint-form.tsx';
import { toOffered } from './blueprint-values.ts';
import classes from './blueprints.module.css';
import { BlueprintsQuery } from './blueprints-document.ts';

const ImportBlueprint = lazy(async () => ({ default: (await import('./import-blueprint.tsx')).ImportBlueprint }));

interface BlueprintsPageProps {
  readonly blueprintId?: string;
}

export function BlueprintsPage({ blueprintId }: BlueprintsPageProps) {
  const t = useTexts(blueprintTexts);
  const { id: homeId } = useHome();
  const language = useLanguage();
  const { canManage } = useRights();
  const [, navigate] = useLocation();
  const [imported, setImported] = useState<OfferedBlueprint>();
  const query = useApiQuery(BlueprintsQuery, { homeId, language }, { subjects: ['inventory', 'people', 'scenes'] });
  if (!canManage) {
    return (
      <EmptyState isPage icon={<Lock size={32} />} title={t.notAllowed}>
        {t.notAllowedText}
      </EmptyState>
    );
  }
  if (imported) return <BlueprintForm offered={imported} onCancel={() => setImported(undefined)} />;
  return (
    <Answer query={query}>
      {({ blueprints }) => {
        const all = present(blueprints).map(toOffered);
        if (blueprintId === undefined) return <Gallery blueprints={all} onImport={setImported} />;
        const offered = all.find(({ id }) => id === blueprintId);
        if (offered)
          return <BlueprintForm key={language} {...{ offered }} onCancel={() => navigate(BLUEPRINTS_PAGE)} />;
        return (
          <EmptyState isPage title={t.notFound} action={<Link href={BLUEPRINTS_PAGE}>{t.toList}</Link>}>
            {t.notFoundText}
          </EmptyState>
        );
      }}
    </Answer>
  );
}

interface GalleryProps {
  readonly blueprints: readonly OfferedBlueprint[];
  readonly onImport: (offered: OfferedBlueprint) => void;
}

function Gallery({ blueprints, onImport }: GalleryProps) {
  const t = useTexts(blueprintTexts);
  const list = useTexts(listTexts);
  const [isImporting, setImporting] = useState(false);
  return (
    <Page
      title={t.title}
      lead={t.lead}
      above={<BackLink href={LIST_PAGE}>{list.title}</BackLink>}
      actions={
        <Button
          variant="default"
          leftSection={<FileUp size={18} aria-hidden />}
          data-short
          title={t.importFile}
          onClick={() => setImporting(true)}
        >
          {t.importFile}
        </Button>
      }
    >
      <SimpleGrid component="ul" minColWidth="min(100%, 320px)" spacing={12} className="h-bare">
        {blueprints.map((offered) => (
          <BlueprintCard key={offered.id} offered={offered} />
        ))}
      </SimpleGrid>
      {isImporting && (
        <Suspense>
          <ImportBlueprint onRead={onImport} onClose={() => setImporting(false)} />
        </Suspense>
      )}
    </Page>
  );
}

function BlueprintCard({ offered: { id, icon, missing, blueprint } }: { readonly offered: OfferedBlueprint }) {
  const t = useTexts(blueprintTexts);
  const { list } = useFormat();
  const Icon = useNamedIcon(icon, ClipboardList);
  const lacking = blueprint.inputs.filter((input) => missing.includes(input.id)).map(({ name }) => name);
  return (
    <li>
      <Link className={classes.card} href={blueprintPageOf(id ?? '')}>
        <span className={classes.icon}>
          <Icon aria-hidden />
        </span>
        <strong>{blueprint.name}</strong>
        <span className={classes.what}>{blueprint.description}</span>
        {lacking.length > 0 && <span className={classes.lacking}>{t.lacking({ what: list(lacking) })}</span>}
      </Link>
    </li>
  );
}
