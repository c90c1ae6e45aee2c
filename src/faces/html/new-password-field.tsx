import { Field } from './form.tsx';
import type { Markup } from './page.tsx';
import { problemOf, type Refusal } from './refusal.ts';

interface NewPasswordFieldProps {
  readonly name: string;
  readonly label: string;
  readonly refusal: Refusal | undefined;
}

/** A password that somebody makes up: typed once, since browsers show and keep it, and an owner at the terminal can always set another. */
export function NewPasswordField({ name, label, refusal }: NewPasswordFieldProps): Markup {
  return (
    <Field
      name={name}
      label={label}
      hint="At least 8 characters. A few words that don’t belong together are good."
      type="password"
      autocomplete="new-password"
      minlength={8}
      problem={problemOf(refusal, name)}
    />
  );
}
