/** The color and the picture of a room. A picture is made smaller here; what can't be one is named beside the field. */
import commonTexts from 'texts:common';
import roomsTexts from 'texts:rooms';
import { Stack } from '@mantine/core';
import { findRoomColor, type RoomColor } from '../../../../home/vocabulary/room-looks.ts';
import { ask, callRest, fetchRest } from '../../api/client.ts';
import { graphql } from '../../api/graphql.ts';
import type { HomeRoom } from '../../home/home-document.ts';
import { useTexts } from '../../texts/texts.ts';
import { EntityDialog } from '../../ui/entity-dialog.tsx';
import { ColorField } from './color-field.tsx';
import { type ChosenPicture, PictureField } from './picture-field.tsx';
import { pathOfPicture } from './picture-urls.ts';

const SetColor = graphql(`
  mutation SetRoomColor($roomId: String!, $color: String) {
    updateRoom(roomId: $roomId, color: $color) {
      id
    }
  }
`);

interface RoomLookProps {
  readonly room: HomeRoom;
  /** The displayed name. */
  readonly name: string;
  readonly onClose: () => void;
}

interface RoomLookValues {
  readonly color: RoomColor | null;
  readonly picture: ChosenPicture;
}

export function RoomLook({ room, name, onClose }: RoomLookProps) {
  const t = useTexts(roomsTexts).look;
  const common = useTexts(commonTexts);
  const before = findRoomColor(room.color) ?? null;
  const initialValues: RoomLookValues = { color: before, picture: undefined };
  const path = pathOfPicture('rooms', room.id);
  const save = async ({ color, picture }: RoomLookValues) => {
    if (color !== before) await ask(SetColor, { roomId: room.id, color });
    if (picture === null) await callRest('DELETE', path);
    else if (picture) await fetchRest(path, { method: 'PUT', body: picture });
  };
  return (
    <EntityDialog
      title={t.of({ name })}
      action={common.save}
      initialValues={initialValues}
      subjects={['inventory']}
      onSubmit={save}
      onClose={onClose}
    >
      {(form) => (
        <Stack>
          <ColorField value={form.values.color} onChange={(color) => form.setFieldValue('color', color)} />
          <PictureField
            path={path}
            hash={room.pictureHash}
            chosen={form.values.picture}
            error={form.errors.picture}
            onChoose={(picture) => form.setFieldValue('picture', picture)}
            onFault={(text) => form.setFieldError('picture', text)}
          />
        </Stack>
      )}
    </EntityDialog>
  );
}
