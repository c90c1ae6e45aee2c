/** The strength of a new password, shown during input. */

import welcomeTexts from 'texts:welcome';
import { useTexts } from '../../texts/texts.ts';
import { type Strength, strengthOf } from './password-strength.ts';
import classes from './welcome.module.css';

const SHARE: Readonly<Record<Strength, string>> = { short: '15%', weak: '35%', fair: '70%', good: '100%' };
const COLOR: Readonly<Record<Strength, string>> = {
  short: 'var(--h-bad-ink)',
  weak: 'var(--h-bad-ink)',
  fair: 'var(--h-on-ink)',
  good: 'var(--h-good-ink)',
};

interface PasswordHintProps {
  readonly password: string;
  /** Names that other people know. */
  readonly names: readonly string[];
}

export function PasswordHint({ password, names }: PasswordHintProps) {
  const t = useTexts(welcomeTexts);
  if (password === '') return null;
  const strength = strengthOf(password, names);
  const style = { '--h-strength': SHARE[strength], '--h-strength-color': COLOR[strength] };
  return (
    <p className={classes.strength} role="status">
      <span aria-hidden style={style as React.CSSProperties} />
      <span>{t.strength[strength]}</span>
    </p>
  );
}
