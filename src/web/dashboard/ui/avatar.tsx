/** The face of a person: their initials in a color of their own, which depends on the name alone. */
import { ROOM_COLORS } from '../../../home/vocabulary/room-looks.ts';
import classes from './avatar.module.css';

/** Gray is the color of those without one. */
const COLORS = ROOM_COLORS.filter((color) => color !== 'gray');

interface AvatarProps {
  readonly name: string;
  /** Beside text of the usual size. */
  readonly isSmall?: boolean;
}

/** Their name stands beside it, so it is for eyes only. */
export function Avatar({ name, isSmall = false }: AvatarProps) {
  return (
    <span className={classes.avatar} data-color={colorOf(name)} data-small={isSmall || undefined} aria-hidden>
      {initialsOf(name)}
    </span>
  );
}

function colorOf(name: string): (typeof COLORS)[number] | undefined {
  let sum = 0;
  for (const char of name.trim().toLowerCase()) sum = (sum * 31 + (char.codePointAt(0) ?? 0)) % 9_973;
  return COLORS[sum % COLORS.length];
}

/** The first letters of the first and the last word, as written: "AL" for "Ada King Lovelace". */
export function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/u);
  const ends = words.length > 1 ? [words[0], words.at(-1)] : words;
  const letters = ends.map((word) => [...new Intl.Segmenter().segment(word ?? '')][0]?.segment ?? '');
  return letters.join('').toUpperCase() || '?';
}
