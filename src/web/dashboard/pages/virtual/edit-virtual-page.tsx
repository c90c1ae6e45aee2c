/** One virtual accessory: operate, edit, delete. */

import virtualTexts from 'texts:virtual';
import { Button } from '@mantine/core';
import { Trash2 } from 'lucide-react';
import { Link, useLocation } from 'wouter';
import { useApiMutation } from '../../api/query.ts';
import { AccessoryTile } from '../../devices/accessory-tile.tsx';
import { useRights } from '../../home/use-home.ts';
import { useTexts } from '../../texts/texts.ts';
import { BackLink } from '../../ui/back-link.tsx';
import { confirm } from '../../ui/confirm.ts';
import { Answer, EmptyState, Page, Section } from '../../ui/page.tsx';
import { showToast } from '../../ui/toasts.tsx';
import classes from './virtual.module.css';
import { DeleteVirtual, UpdateVirtual, useVirtualList, type VirtualRow } from './virtual-documents.ts';
import { VirtualForm } from './virtual-form.tsx';
import { fieldsOf, isVirtualKind, presentFields } from './virtual-kinds.ts';

export function EditVirtualPage({ accessoryId }: { readonly accessoryId: string }) {
  const t = useTexts(virtualTexts);
  const query = useVirtualList();
  return (
    <Answer query={query}>
      {(rows) => {
        const row = rows.find(({ id }) => id === accessoryId);
        if (row) return <EditVirtual key={row.id} row={row} />;
        return (
          <EmptyState isPage title={t.notFound} action={<Link href="/virtual">{t.back}</Link>}>
            {t.notFoundText}
          </EmptyState>
        );
      }}
    </Answer>
  );
}

function EditVirtual({ row }: { readonly row: VirtualRow }) {
  const t = useTexts(virtualTexts);
  const [, go] = useLocation();
  const { canManage } = useRights();
  const update = useApiMutation(UpdateVirtual, { subjects: ['inventory'] });
  const remove = useApiMutation(DeleteVirtual, {
    subjects: ['inventory'],
    onDone: () => {
      showToast({ text: t.deleted({ name: row.name }) });
      go('/virtual');
    },
  });
  const kind = row.virtualType;
  const askAndDelete = async () => {
    const question = {
      title: t.deleteTitle({ name: row.name }),
      body: t.deleteText,
      action: t.delete,
      isDangerous: true,
    };
    if (!(await confirm(question))) return;
    remove.mutate({ accessoryId: row.id });
  };
  return (
    <Page
      title={row.name}
      lead={isVirtualKind(kind) && t.kinds[kind].what}
      above={<BackLink href="/virtual">{t.title}</BackLink>}
      narrow
    >
      <Section title={t.now}>
        <div className={classes.now}>
          <AccessoryTile id={row.id} />
        </div>
      </Section>
      {canManage && isVirtualKind(kind) && (
        <VirtualForm
          kind={kind}
          first={{ ...row, fields: fieldsOf(row.config) }}
          error={update.error ?? remove.error}
          isBusy={update.isPending}
          onCancel={() => go('/virtual')}
          end={
            <Button
              variant="subtle"
              style={{ alignSelf: 'flex-start' }}
              ml="calc(var(--button-padding-x) / -1.5)"
              color="red"
              leftSection={<Trash2 size={18} aria-hidden />}
              loading={remove.isPending}
              onClick={() => void askAndDelete()}
            >
              {t.delete}
            </Button>
          }
          onSubmit={({ name, roomId, controllable, fields }, onSaved) => {
            const onSuccess = () => {
              onSaved();
              showToast({ text: t.saved({ name }) });
            };
            const data = presentFields(kind, fields);
            update.mutate({ accessoryId: row.id, name, roomId, controllable, data }, { onSuccess });
          }}
        />
      )}
    </Page>
  );
}
