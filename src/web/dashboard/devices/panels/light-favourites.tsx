/** A lamp's favourite colours and whites: one touch sets one. The present colour can be added, any can be removed. */
import commonTexts from 'texts:common';
import { Button, Group } from '@mantine/core';
import { Plus, X } from 'lucide-react';
import { type CSSProperties, useEffect, useState } from 'react';
import { dashboardSetting, useSettings, useUpdateSettings } from '../../account/account.ts';
import { writer } from '../../home/write.ts';
import { useTexts } from '../../texts/texts.ts';
import { ErrorNotice } from '../../ui/page.tsx';
import { COLOURS, cssColour, hueName, kelvinOf, roundKelvin, WHITES, whiteAt } from '../light-colours.ts';
import { characteristicOf, powerOf, powerWrites, writeOf } from '../reading.ts';
import {
  canShow,
  DEFAULT_FAVOURITES,
  type FavouriteLight,
  isSameLight,
  MAX_FAVOURITES,
  parseFavourites,
  presentLight,
  withFavourite,
} from './favourite-lights.ts';
import classes from './light-panel.module.css';
import { type PanelProps, type PanelWords, usePanelWords } from './panel.ts';

const SETTING = 'favouriteLights';

export function LightFavourites(props: PanelProps) {
  const { service } = props;
  const isColoured = ['hue', 'color_temperature'].some((type) => characteristicOf(service, type));
  return isColoured ? <Favourites {...props} /> : null;
}

function Favourites({ accessory, service, isDisabled }: PanelProps) {
  const words = usePanelWords();
  const common = useTexts(commonTexts);
  const { dashboard } = useSettings();
  const update = useUpdateSettings();
  const [isEditing, setEditing] = useState(false);
  const t = words.t.light.favourites;
  const kept = dashboard[SETTING];
  // What was chosen here, until the account has it.
  const [draft, setDraft] = useState<readonly FavouriteLight[]>();
  useEffect(() => setDraft(undefined), [JSON.stringify(kept)]);
  const favourites = draft ?? parseFavourites(kept);
  const present = presentLight(service);
  const isKnown = present === undefined || favourites.some((one) => isSameLight(one, present));
  const save = (next: readonly FavouriteLight[] | null) => {
    setDraft(next ?? DEFAULT_FAVOURITES);
    update.mutate({ data: dashboardSetting(SETTING, next) }, { onError: () => setDraft(undefined) });
  };
  const set = (light: FavouriteLight) =>
    writer.set(
      ...Object.entries(light).flatMap(([name, value]) =>
        writeOf(accessory, service, name === 'mireds' ? 'color_temperature' : name, value),
      ),
      ...(powerOf(service) === false ? powerWrites(accessory, service, true) : []),
    );
  return (
    <div className={classes.group}>
      <Group justify="space-between" gap={8} wrap="nowrap" className={classes.favouritesHead ?? ''}>
        <span>{t.title}</span>
        <Group gap={4} wrap="nowrap">
          {isEditing && kept !== undefined && (
            <Button variant="subtle" size="compact-md" disabled={update.isPending} onClick={() => save(null)}>
              {t.reset}
            </Button>
          )}
          <Button
            variant="subtle"
            size="compact-md"
            aria-label={isEditing ? undefined : t.edit}
            onClick={() => setEditing(!isEditing)}
          >
            {isEditing ? common.done : common.edit}
          </Button>
        </Group>
      </Group>
      <ul className={`h-bare ${classes.favourites}`} aria-label={t.title}>
        {favourites.map((light, index) => {
          if (!canShow(service, light)) return null;
          const name = nameOf(light, words);
          const label = isEditing ? t.remove({ name }) : name;
          return (
            // The focus stays where one was removed.
            <li key={index}>
              <button
                type="button"
                className={classes.swatch}
                style={{ '--swatch': colourOf(light) } as CSSProperties}
                aria-label={label}
                aria-pressed={isEditing ? undefined : isSameLight(present, light)}
                title={label}
                disabled={isEditing ? update.isPending : isDisabled}
                onClick={() => (isEditing ? save(favourites.toSpliced(index, 1)) : set(light))}
              >
                {isEditing && <X aria-hidden size={20} strokeWidth={2.5} />}
              </button>
            </li>
          );
        })}
        {!isEditing && present && (
          <li>
            <button
              type="button"
              className={classes.add}
              aria-label={t.add}
              title={t.add}
              disabled={isKnown || update.isPending || favourites.length >= MAX_FAVOURITES}
              onClick={() => save(withFavourite(favourites, present))}
            >
              <Plus aria-hidden size={20} />
            </button>
          </li>
        )}
      </ul>
      {update.error && <ErrorNotice error={update.error} />}
    </div>
  );
}

function colourOf(light: FavouriteLight): string {
  return 'mireds' in light ? whiteAt(kelvinOf(light.mireds)) : cssColour(light.hue, light.saturation);
}

/** "Warm white", "2,900 K", "Orange", "Orange, 60 %". */
function nameOf(light: FavouriteLight, { t, format }: PanelWords): string {
  if ('mireds' in light) {
    const kelvin = roundKelvin(kelvinOf(light.mireds));
    const white = WHITES.find((one) => one.kelvin === kelvin);
    return white ? t.light.whiteNames[white.name] : t.light.kelvin({ kelvin: format.number(kelvin) });
  }
  const known = COLOURS.find((one) => isSameLight(light, one));
  const name = t.light.hueNames[known?.name ?? hueName(light.hue)];
  return known ? name : `${name}, ${format.percent(light.saturation)}`;
}
