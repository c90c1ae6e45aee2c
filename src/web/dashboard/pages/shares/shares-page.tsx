/** All shares of the home: each entity with its one link, and its shares. */

import sharesTexts from 'texts:shares';
import { Button } from '@mantine/core';
import { Plus, Share2 } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useLocation, useSearch } from 'wouter';
import { present } from '../../api/graphql.ts';
import { useApiQuery } from '../../api/query.ts';
import { useHome, useRights } from '../../home/use-home.ts';
import { useTexts } from '../../texts/texts.ts';
import { CardRows } from '../../ui/columns.tsx';
import { Answer, EmptyState } from '../../ui/page.tsx';
import { PeopleFrame } from '../people/people-frame.tsx';
import { type Share, SharesQuery } from './documents.ts';
import { parseNewShareTarget } from './entities.ts';
import { LinkDialog } from './link-dialog.tsx';
import { CreateShareDialog, EditShareDialog } from './share-dialogs.tsx';
import { type Opened, SharedSection } from './shared-section.tsx';

export function SharesPage() {
  const t = useTexts(sharesTexts);
  const { id: homeId } = useHome();
  const { canManage } = useRights();
  const [opened, setOpened] = useState<Opened>();
  const shares = useApiQuery(SharesQuery, { homeId }, { subjects: ['shares'], enabled: canManage });
  useNewShareTarget((target) => canManage && setOpened({ what: 'create', target }));
  const create = (
    <Button
      leftSection={<Plus size={18} aria-hidden />}
      onClick={() => setOpened({ what: 'create', target: undefined })}
    >
      {t.create}
    </Button>
  );
  if (!canManage) {
    return (
      <PeopleFrame lead={t.lead}>
        <EmptyState icon={<Share2 size={32} />} title={t.title}>
          {t.onlyManagers}
        </EmptyState>
      </PeopleFrame>
    );
  }
  return (
    <PeopleFrame lead={t.lead} actions={create}>
      <Answer query={shares}>
        {({ homeShares, mySharedEntities }) => {
          // Collections belong to users, not to homes.
          const collections = present(mySharedEntities).filter((share) => share.homeId === null);
          const entities = byLink([...present(homeShares), ...collections]);
          if (entities.length === 0) {
            return (
              <EmptyState icon={<Share2 size={32} />} title={t.emptyTitle} action={create}>
                {t.empty}
              </EmptyState>
            );
          }
          return (
            <CardRows>
              {entities.map(([hash, rows]) => (
                <SharedSection key={hash} shares={rows} onOpen={setOpened} />
              ))}
            </CardRows>
          );
        }}
      </Answer>
      {opened && <OpenedDialog opened={opened} onOpen={setOpened} />}
    </PeopleFrame>
  );
}

interface OpenedDialogProps {
  readonly opened: Opened;
  readonly onOpen: (opened: Opened | undefined) => void;
}

function OpenedDialog({ opened, onOpen }: OpenedDialogProps) {
  const close = () => onOpen(undefined);
  if (opened.what === 'edit') return <EditShareDialog share={opened.share} onClose={close} />;
  if (opened.what === 'link') return <LinkDialog url={opened.url} name={opened.name} onClose={close} />;
  return (
    <CreateShareDialog target={opened.target} onClose={close} onCreated={(link) => onOpen({ what: 'link', ...link })} />
  );
}

/** `?new=room:<id>` is applied once and removed from the URL: "back" does not open the dialog again. */
function useNewShareTarget(follow: (target: { readonly type: string; readonly id: string }) => void): void {
  const search = useSearch();
  const [path, go] = useLocation();
  useEffect(() => {
    const target = parseNewShareTarget(new URLSearchParams(search).get('new'));
    if (!target) return;
    follow(target);
    go(path, { replace: true });
  }, [search]);
}

/** Shares of one entity have one link. Sorted by the oldest share of each. */
function byLink(shares: readonly Share[]): readonly (readonly [string, readonly Share[]])[] {
  const rows = new Map<string, readonly Share[]>();
  for (const share of shares) rows.set(share.shareHash, [...(rows.get(share.shareHash) ?? []), share]);
  return [...rows];
}
