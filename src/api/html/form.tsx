/**
 * The parts of forms: each field has its label, its hint and its error linked to it, and a page with errors begins with
 * them.
 */
import type { Child } from 'hono/jsx';
import type { ApiContext } from '../env.ts';
import type { Markup } from './page.tsx';
import { CSRF_FIELD } from './page-session.ts';
import { PageError } from './sentences.ts';
import { texts } from './texts.ts';

/** No form of the relay is this large. */
export const MAX_FORM_BYTES = 65_536;

/** The fields of a submitted form. @throws `unsupported_media_type` · `invalid_request` the body is incomplete */
export async function readForm(c: ApiContext): Promise<URLSearchParams> {
  const [type = ''] = (c.req.header('content-type') ?? '').toLowerCase().split(';');
  if (type.trim() !== 'application/x-www-form-urlencoded') {
    throw new PageError('unsupported_media_type', (language) => texts[language].refused.noForm);
  }
  try {
    return new URLSearchParams(await c.req.text());
  } catch (cause) {
    throw new PageError('invalid_request', (language) => texts[language].refused.formCutShort, {}, { cause });
  }
}

export interface FormProps {
  readonly action: string;
  readonly csrf: string;
  /** Hidden fields of the form. */
  readonly hidden?: Readonly<Record<string, string | undefined>>;
  readonly children?: Child;
}

export function Form({ action, csrf, hidden = {}, children }: FormProps): Markup {
  return (
    <form method="post" action={action}>
      <input type="hidden" name={CSRF_FIELD} value={csrf} />
      {Object.entries(hidden).map(([name, value]) =>
        value === undefined ? null : <input type="hidden" name={name} value={value} />,
      )}
      {children}
    </form>
  );
}

interface FieldProps {
  readonly name: string;
  readonly label: string;
  readonly type?: 'text' | 'email' | 'password';
  readonly autocomplete: string;
  readonly value?: string | undefined;
  readonly hint?: string;
  /** The validation error of the field. */
  readonly problem?: string | undefined;
  readonly required?: boolean;
  readonly minlength?: number;
  readonly maxlength?: number;
  readonly class?: string;
  readonly autocapitalize?: 'none' | 'characters' | 'words';
}

export function Field({ name, label, hint, problem, type = 'text', required = true, ...input }: FieldProps): Markup {
  const described = [hint !== undefined && `${name}-hint`, problem !== undefined && `${name}-problem`].filter(Boolean);
  return (
    <div class="field">
      <label for={name}>{label}</label>
      {hint !== undefined && (
        <span class="hint" id={`${name}-hint`}>
          {hint}
        </span>
      )}
      {problem !== undefined && (
        <span class="problem" id={`${name}-problem`}>
          {problem}
        </span>
      )}
      <input
        id={name}
        name={name}
        type={type}
        required={required}
        spellcheck={false}
        aria-describedby={described.length > 0 ? described.join(' ') : undefined}
        aria-invalid={problem !== undefined ? 'true' : undefined}
        {...input}
      />
    </div>
  );
}

/** Why a form is shown again. It takes the focus, so that a screen reader begins with it. */
export function Problem({ message }: { readonly message: string | undefined }): Markup | null {
  if (message === undefined) return null;
  return (
    <div class="notice bad" role="alert" tabindex={-1} autofocus>
      <p>{message}</p>
    </div>
  );
}

/** The confirmation after a form. @param children the next steps */
export function Done({
  message,
  children,
}: {
  readonly message: string | undefined;
  readonly children?: Markup | false | undefined;
}): Markup | null {
  if (message === undefined) return null;
  return (
    <div class="notice good" role="status">
      <p>{message}</p>
      {children}
    </div>
  );
}
