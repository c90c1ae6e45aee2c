/** Chooses the picture of a room or a home. It is made smaller here; what can't be one is named beside the field. */
import commonTexts from 'texts:common';
import roomsTexts from 'texts:rooms';
import { Button, Group } from '@mantine/core';
import { ImageUp, Trash2 } from 'lucide-react';
import { type ChangeEvent, useEffect, useId, useRef, useState } from 'react';
import { useTexts } from '../../texts/texts.ts';
import { pictureUrl } from './picture-urls.ts';
import classes from './room-look.module.css';
import { shrinkPicture } from './shrink-picture.ts';

/** `undefined`: as it is; `null`: none. */
export type ChosenPicture = Blob | null | undefined;

interface PictureFieldProps {
  /** Where its picture is now, if it has one. */
  readonly path: string;
  readonly hash: string | null;
  readonly chosen: ChosenPicture;
  readonly error: unknown;
  readonly onChoose: (picture: Blob | null) => void;
  readonly onFault: (text: string) => void;
}

export function PictureField({ path, hash, chosen, error, onChoose, onFault }: PictureFieldProps) {
  const t = useTexts(roomsTexts).look;
  const { reasons } = useTexts(commonTexts);
  const input = useRef<HTMLInputElement>(null);
  const [isBusy, setBusy] = useState(false);
  const url = usePreview(path, hash, chosen);
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
function usePreview(path: string, hash: string | null, chosen: ChosenPicture): string | undefined {
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    if (chosen) {
      const address = URL.createObjectURL(chosen);
      setUrl(address);
      return () => URL.revokeObjectURL(address);
    }
    setUrl(undefined);
    if (chosen === null || hash === null) return undefined;
    let isGone = false;
    pictureUrl(path, hash).then(
      (address) => isGone || setUrl(address),
      () => undefined,
    );
    return () => {
      isGone = true;
    };
  }, [chosen, path, hash]);
  return url;
}
