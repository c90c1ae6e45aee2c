/** All virtual accessories of the home: operate, edit, create. */
import virtualTexts from 'texts:virtual';
import { Button, Group, Stack } from '@mantine/core';
import { Blocks, Plus } from 'lucide-react';
import { Link } from 'wouter';
import { AccessoryTile } from '../../devices/accessory-tile.tsx';
import { useHome, useRights } from '../../home/use-home.ts';
import { useTexts } from '../../texts/texts.ts';
import { Answer, EmptyState, Page } from '../../ui/page.tsx';
import { useRoomName } from '../rooms/room-name.ts';
import classes from './virtual.module.css';
import { useVirtualList, type VirtualRow } from './virtual-documents.ts';
import { isVirtualKind } from './virtual-kinds.ts';

export function VirtualPage() {
  const t = useTexts(virtualTexts);
  const query = useVirtualList();
  const { canManage } = useRights();
  const create = canManage && (
    <Button component={Link} href="/virtual/new" leftSection={<Plus size={18} aria-hidden />}>
      {t.create}
    </Button>
  );
  return (
    <Page title={t.title} lead={t.lead} actions={create}>
      <Answer query={query}>
        {(rows) =>
          rows.length === 0 ? (
            <EmptyState icon={<Blocks size={32} />} title={t.emptyTitle}>
              {t.emptyText}
            </EmptyState>
          ) : (
            <ul className={classes.list}>
              {rows.map((row) => (
                <li key={row.id}>
                  <VirtualCard row={row} canManage={canManage} />
                </li>
              ))}
            </ul>
          )
        }
      </Answer>
    </Page>
  );
}

function VirtualCard({ row, canManage }: { readonly row: VirtualRow; readonly canManage: boolean }) {
  const t = useTexts(virtualTexts);
  const { rooms } = useHome();
  const roomName = useRoomName();
  const room = rooms.find(({ id }) => id === row.roomId);
  const kind = isVirtualKind(row.virtualType) ? t.kinds[row.virtualType].name : row.virtualType;
  const caption = [kind, room && !room.isDefault && roomName(room)].filter(Boolean).join(' · ');
  return (
    <Stack gap={2} miw={0}>
      <AccessoryTile id={row.id} />
      <Group gap={12} wrap="nowrap" align="flex-start" c="dimmed" fz="sm" p="0 6px">
        <div className={classes.caption}>
          <p title={caption}>{caption}</p>
          {!row.controllable && t.readOnly}
        </div>
        {canManage && (
          <Link href={`/virtual/${row.id}`} className={classes.edit ?? ''} aria-label={t.edit({ name: row.name })}>
            {t.editShort}
          </Link>
        )}
      </Group>
    </Stack>
  );
}
