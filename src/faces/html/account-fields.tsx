/** The fields that every form has with which somebody makes an account. */
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

interface NameFieldProps {
  readonly value: string | undefined;
  readonly refusal: Refusal | undefined;
}

export function NameField({ value, refusal }: NameFieldProps): Markup {
  return (
    <Field
      name="name"
      label="Your name"
      hint="What others in the house see. You may leave it out."
      autocomplete="name"
      autocapitalize="words"
      value={value}
      maxlength={64}
      required={false}
      problem={problemOf(refusal, 'name')}
    />
  );
}
