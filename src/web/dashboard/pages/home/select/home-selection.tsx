/** What can be done with the selected tiles. Loaded when the first one is selected. */
import commonTexts from 'texts:common';
import groupsTexts from 'texts:groups';
import homeTexts from 'texts:home';
import { TextInput } from '@mantine/core';
import { useEffect, useMemo, useRef, useState } from 'react';
import { MAX_NAME_LENGTH } from '../../../../../home/vocabulary/limits.ts';
import { useHome, useRights } from '../../../home/use-home.ts';
import { useTexts } from '../../../texts/texts.ts';
import { EntityDialog } from '../../../ui/entity-dialog.tsx';
import { DeviceMenu } from '../../system/devices/device-menu.tsx';
import { createGroup } from '../edit/layout-acts.ts';
import { endSelection, isFocusLost, type SelectedTile, type TileSelection } from '../selection.ts';
import { type Groupable, groupableOf } from './groupable.ts';
import { pairedThingsOf } from './paired-things.ts';
import { SelectedAccessories } from './selected-accessories.tsx';

export function HomeSelection({ selection: { ids, last } }: { readonly selection: TileSelection }) {
  const inventory = useHome();
  const { canManage } = useRights();
  const [isNaming, setNaming] = useState(false);
  const groupable = useMemo(() => groupableOf(ids, inventory), [ids, inventory]);
  const devices = useMemo(() => pairedThingsOf(ids, inventory), [ids, inventory]);
  useFocusAfter(last);
  return (
    <>
      <SelectedAccessories
        ids={ids}
        onEnd={endSelection}
        {...(canManage && { onGroup: { run: () => setNaming(true), isDisabled: !groupable } })}
      >
        {canManage && <DeviceMenu devices={devices} onDone={endSelection} />}
      </SelectedAccessories>
      {isNaming && groupable && <NewGroup groupable={groupable} onClose={() => setNaming(false)} />}
    </>
  );
}

interface NewGroupProps {
  readonly groupable: Groupable;
  readonly onClose: () => void;
}

/** Its name is suggested: Enter is enough. */
function NewGroup({ groupable: { kind, serviceIds, roomId }, onClose }: NewGroupProps) {
  const { edit: t } = useTexts(homeTexts);
  const { kinds } = useTexts(groupsTexts);
  const common = useTexts(commonTexts);
  const { id: homeId, rooms } = useHome();
  const room = rooms.find(({ id }) => id === roomId);
  const suggested = room ? t.groupIn({ kind: kinds[kind], room: room.name }) : kinds[kind];
  return (
    <EntityDialog
      title={t.newGroup}
      action={t.makeGroup}
      initialValues={{ name: suggested }}
      subjects={[]}
      isIncomplete={({ name }) => !name.trim()}
      onSubmit={async ({ name }) => {
        await createGroup(homeId, name.trim(), serviceIds);
        endSelection();
      }}
      onClose={onClose}
    >
      {(form) => (
        <TextInput
          label={common.name}
          required
          maxLength={MAX_NAME_LENGTH}
          data-autofocus
          {...form.getInputProps('name')}
        />
      )}
    </EntityDialog>
  );
}

/** Once the selection has ended, the tile that was chosen last has the focus again. */
function useFocusAfter(last: SelectedTile): void {
  const latest = useRef(last);
  latest.current = last;
  useEffect(
    () => () => {
      const { id, grid } = latest.current;
      const tile = document.querySelector(`[data-grid="${CSS.escape(grid)}"] > [data-id="${CSS.escape(id)}"]`);
      const target = tile?.querySelector<HTMLElement>('button, a') ?? document.getElementById('content');
      // It may be at something else already.
      if (isFocusLost()) target?.focus({ preventScroll: true });
    },
    [],
  );
}
