import { Field, Form } from '../html/form.tsx';
import type { Markup } from '../html/page.tsx';
import type { FormDeps } from './controls-view.tsx';

/** Asks for the passcode; the browser gets a cookie for this share, and no URL contains the passcode. */
export function PasscodeForm({
  deps,
  problem,
}: {
  readonly deps: FormDeps;
  readonly problem?: string | undefined;
}): Markup {
  const { passcode } = deps.texts;
  return (
    <Form action={`${deps.address}/passcode`} csrf={deps.csrf}>
      <Field
        name="passcode"
        label={passcode.title}
        type="password"
        autocomplete="one-time-code"
        autocapitalize="none"
        maxlength={128}
        problem={problem}
        hint={passcode.hint}
      />
      <button type="submit" class="primary full">
        {passcode.open}
      </button>
    </Form>
  );
}
