/** Chooses the color of a room or a scene: a dot each, the chosen one with a check mark and its name above. */
import roomsTexts from 'texts:rooms';
import { Check, Slash } from 'lucide-react';
import { useId } from 'react';
import { ROOM_COLORS, type RoomColor } from '../../../../home/vocabulary/room-looks.ts';
import { useTexts } from '../../texts/texts.ts';
import classes from './room-look.module.css';

interface ColorFieldProps {
  readonly value: RoomColor | null;
  readonly onChange: (color: RoomColor | null) => void;
}

export function ColorField({ value, onChange }: ColorFieldProps) {
  const t = useTexts(roomsTexts).look;
  const group = useId();
  const nameOf = (color: RoomColor | null) => (color === null ? t.noColor : t.colors[color]);
  return (
    <fieldset>
      <legend className={classes.label}>
        {t.color}
        <span className={classes.chosen} aria-hidden>
          {nameOf(value)}
        </span>
      </legend>
      <div className={classes.colors}>
        {[null, ...ROOM_COLORS].map((color) => (
          <span key={color ?? ''} className={classes.color} data-color={color}>
            <input
              type="radio"
              name={group}
              aria-label={nameOf(color)}
              title={nameOf(color)}
              checked={value === color}
              onChange={() => onChange(color)}
              className={classes.radio}
            />
            {value === color ? <Check aria-hidden /> : color === null && <Slash aria-hidden />}
          </span>
        ))}
      </div>
    </fieldset>
  );
}
