/** A field for a code of an authenticator app, or a recovery code. */
import { TextInput, type TextInputProps } from '@mantine/core';
import type { Ref } from 'react';

export function CodeField(props: TextInputProps & { readonly ref?: Ref<HTMLInputElement> | undefined }) {
  return (
    <TextInput
      name="code"
      autoComplete="one-time-code"
      autoCapitalize="characters"
      spellCheck={false}
      maxLength={64}
      required
      withAsterisk={false}
      {...props}
    />
  );
}
