/** The fields of every form that creates an account. */
import { Field } from './form.tsx';
import type { Markup } from './page.tsx';
import { type PageRefusal, problemOf } from './refusal.ts';
import type { PageTexts } from './texts.ts';

interface NewPasswordFieldProps {
  readonly texts: PageTexts;
  readonly name: string;
  readonly label: string;
  readonly refusal: PageRefusal | undefined;
}

/** A new password: typed once, since browsers show and save it, and an owner at the terminal can always set another. */
export function NewPasswordField({ texts, name, label, refusal }: NewPasswordFieldProps): Markup {
  return (
    <Field
      name={name}
      label={label}
      hint={texts.fields.newPasswordHint}
      type="password"
      autocomplete="new-password"
      minlength={8}
      problem={problemOf(refusal, name)}
    />
  );
}

interface NameFieldProps {
  readonly texts: PageTexts;
  readonly value: string | undefined;
  readonly refusal: PageRefusal | undefined;
}

export function NameField({ texts, value, refusal }: NameFieldProps): Markup {
  return (
    <Field
      name="name"
      label={texts.fields.name}
      hint={texts.fields.nameHint}
      autocomplete="name"
      autocapitalize="words"
      value={value}
      maxlength={64}
      required={false}
      problem={problemOf(refusal, 'name')}
    />
  );
}
