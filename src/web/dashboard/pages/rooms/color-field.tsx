/** Chooses the color of a room or a scene. */
import roomsTexts from 'texts:rooms';
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
  return (
    <fieldset>
      <legend className={classes.label}>{t.color}</legend>
      <div className={classes.colors}>
        {[null, ...ROOM_COLORS].map((color) => (
          <label key={color ?? ''} className={classes.color} data-color={color}>
            <input
              type="radio"
              name={group}
              checked={value === color}
              onChange={() => onChange(color)}
              className={classes.radio}
            />
            <span>{color === null ? t.noColor : t.colors[color]}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
