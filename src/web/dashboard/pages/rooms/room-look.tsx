/** The color and the picture of a room. A picture is made smaller here; what can't be one is named beside the field. */
import commonTexts from 'texts:common';
import roomsTexts from 'texts:rooms';
import { Button, Group, Stack } from '@mantine/core';
import { ImageUp, Trash2 } from 'lucide-react';
import { type ChangeEvent, useEffect, useId, useRef, useState } from 'react';
import { findRoomColor, type RoomColor } from '../../../../home/vocabulary/room-looks.ts';
import { ask, callRest, fetchRest } from '../../api/client.ts';
import { graphql } from '../../api/graphql.ts';
import type { HomeRoom } from '../../home/home-document.ts';
import { useTexts } from '../../texts/texts.ts';
import { EntityDialog } from '../../ui/entity-dialog.tsx';
import { ColorField } from './color-field.tsx';
import { pathOfPicture, pictureUrl } from './picture-urls.ts';
import classes from './room-look.module.css';
import { shrinkPicture } from './shrink-picture.ts';

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
  /** `undefined`: as it is; `null`: none. */
  readonly picture: Blob | null | undefined;
}

export function RoomLook({ room, name, onClose }: RoomLookProps) {
  const t = useTexts(roomsTexts).look;
  const common = useTexts(commonTexts);
  const before = findRoomColor(room.color) ?? null;
  const initialValues: RoomLookValues = { color: before, picture: undefined };
  const save = async ({ color, picture }: RoomLookValues) => {
    if (color !== before) await ask(SetColor, { roomId: room.id, color });
    const path = pathOfPicture(room.id);
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
          <Picture
            room={room}
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

interface PictureProps {
  readonly room: HomeRoom;
  readonly chosen: RoomLookValues['picture'];
  readonly error: unknown;
  readonly onChoose: (picture: Blob | null) => void;
  readonly onFault: (text: string) => void;
}

function Picture({ room, chosen, error, onChoose, onFault }: PictureProps) {
  const t = useTexts(roomsTexts).look;
  const { reasons } = useTexts(commonTexts);
  const input = useRef<HTMLInputElement>(null);
  const [isBusy, setBusy] = useState(false);
  const url = usePreview(room, chosen);
  const hint = useId();
  const choose = async ({ currentTarget }: ChangeEvent<HTMLInputElement>) => {
    const [file] = currentTarget.files ?? [];
    // Allows choosing the same file again.
    currentTarget.value = '';
    if (!file) return;
    setBusy(true);
    const result = await shrinkPicture(file).finally(() => setBusy(false));
    if (typeof result === 'string') onFault(reasons[result]);
    else onChoose(result);
  };
  return (
    <fieldset aria-describedby={hint}>
      <legend className={classes.label}>{t.picture}</legend>
      {url && <img className={classes.preview} src={url} alt={t.preview} />}
      <input
        ref={input}
        type="file"
        hidden
        accept="image/*"
        aria-label={t.choose}
        onChange={(event) => void choose(event)}
      />
      <Group gap={8}>
        <Button
          variant="default"
          leftSection={<ImageUp aria-hidden size={18} />}
          loading={isBusy}
          onClick={() => input.current?.click()}
        >
          {t.choose}
        </Button>
        {url && (
          <Button variant="default" leftSection={<Trash2 aria-hidden size={18} />} onClick={() => onChoose(null)}>
            {t.remove}
          </Button>
        )}
      </Group>
      <p id={hint} className={classes.hint} role={error ? 'alert' : undefined} data-error={error ? true : undefined}>
        {typeof error === 'string' ? error : t.hint}
      </p>
    </fieldset>
  );
}

/** The picture as it will be. */
function usePreview({ id, pictureHash }: HomeRoom, chosen: RoomLookValues['picture']): string | undefined {
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    if (chosen) {
      const address = URL.createObjectURL(chosen);
      setUrl(address);
      return () => URL.revokeObjectURL(address);
    }
    setUrl(undefined);
    if (chosen === null || pictureHash === null) return undefined;
    let isGone = false;
    pictureUrl(id, pictureHash).then(
      (address) => isGone || setUrl(address),
      () => undefined,
    );
    return () => {
      isGone = true;
    };
  }, [chosen, id, pictureHash]);
  return url;
}
