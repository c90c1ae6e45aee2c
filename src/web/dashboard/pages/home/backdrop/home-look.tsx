/** Chooses what is behind the tiles: nothing, one of the backgrounds, or a picture. For everyone in the home. */
import commonTexts from 'texts:common';
import homeTexts from 'texts:home';
import roomsTexts from 'texts:rooms';
import { Stack } from '@mantine/core';
import { useId } from 'react';
import {
  findHomeBackground,
  HOME_BACKGROUNDS,
  type HomeBackground,
} from '../../../../../home/vocabulary/room-looks.ts';
import { ask, callRest, fetchRest } from '../../../api/client.ts';
import { graphql } from '../../../api/graphql.ts';
import { useHome } from '../../../home/use-home.ts';
import { useTexts } from '../../../texts/texts.ts';
import { EntityDialog } from '../../../ui/entity-dialog.tsx';
import { type ChosenPicture, PictureField } from '../../rooms/picture-field.tsx';
import { pathOfPicture } from '../../rooms/picture-urls.ts';
import roomClasses from '../../rooms/room-look.module.css';
import classes from './backdrop.module.css';

const SetBackground = graphql(`
  mutation SetHomeBackground($homeId: String!, $background: String) {
    updateHome(homeId: $homeId, background: $background) {
      id
    }
  }
`);

interface HomeLookValues {
  readonly background: HomeBackground | null;
  readonly picture: ChosenPicture;
}

export function HomeLook({ onClose }: { readonly onClose: () => void }) {
  const t = useTexts(homeTexts).edit;
  const common = useTexts(commonTexts);
  const { id: homeId, background, pictureHash } = useHome();
  const before = findHomeBackground(background) ?? null;
  const path = pathOfPicture('homes', homeId);
  const initialValues: HomeLookValues = { background: before, picture: undefined };
  const save = async (values: HomeLookValues) => {
    if (values.background !== before) await ask(SetBackground, { homeId, background: values.background });
    if (values.picture === null && pictureHash !== null) await callRest('DELETE', path);
    else if (values.picture) await fetchRest(path, { method: 'PUT', body: values.picture });
  };
  return (
    <EntityDialog
      title={t.homeLook}
      action={common.save}
      initialValues={initialValues}
      subjects={['inventory']}
      onSubmit={save}
      onClose={onClose}
    >
      {(form) => {
        const { picture } = form.values;
        const hasPicture = picture === undefined ? pictureHash !== null : picture !== null;
        return (
          <Stack>
            <Backgrounds
              value={hasPicture ? undefined : form.values.background}
              onChange={(chosen) => form.setValues({ background: chosen, picture: null })}
            />
            <PictureField
              path={path}
              hash={pictureHash}
              chosen={picture}
              error={form.errors.picture}
              onChoose={(chosen) => form.setFieldValue('picture', chosen)}
              onFault={(text) => form.setFieldError('picture', text)}
            />
          </Stack>
        );
      }}
    </EntityDialog>
  );
}

interface BackgroundsProps {
  /** None is chosen while there is a picture. */
  readonly value: HomeBackground | null | undefined;
  readonly onChange: (background: HomeBackground | null) => void;
}

function Backgrounds({ value, onChange }: BackgroundsProps) {
  const t = useTexts(homeTexts).edit;
  const { look } = useTexts(roomsTexts);
  const group = useId();
  return (
    <fieldset>
      <legend className={roomClasses.label}>{t.background}</legend>
      <div className={classes.choices}>
        {[null, ...HOME_BACKGROUNDS].map((background) => (
          <label key={background ?? ''} className={classes.choice} data-background={background}>
            <span>
              <input type="radio" name={group} checked={value === background} onChange={() => onChange(background)} />
              {background === null ? look.noColor : t.backgrounds[background]}
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
