import { Field, Form } from '../html/form.tsx';
import type { Markup } from '../html/page.tsx';
import type { FormGround } from './controls-view.tsx';

/** Asks for the passcode; the browser gets a cookie for this share, and the passcode stands in no address. */
export function PasscodeForm({
  ground,
  problem,
}: {
  readonly ground: FormGround;
  readonly problem?: string | undefined;
}): Markup {
  return (
    <Form action={`${ground.address}/passcode`} csrf={ground.csrf}>
      <Field
        name="passcode"
        label="Passcode"
        type="password"
        autocomplete="one-time-code"
        autocapitalize="none"
        maxlength={128}
        problem={problem}
        hint="Whoever gave you the link can tell you."
      />
      <button type="submit" class="primary full">
        Open
      </button>
    </Form>
  );
}
