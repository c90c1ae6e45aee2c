/** A password field with a button to show the input. */

import signInTexts from 'texts:sign-in';
import { PasswordInput, type PasswordInputProps } from '@mantine/core';
import { useState } from 'react';
import { useTexts } from '../../texts/texts.ts';

export function PasswordField(props: PasswordInputProps) {
  const t = useTexts(signInTexts);
  const [isShown, setShown] = useState(false);
  return (
    <PasswordInput
      size="md"
      required
      withAsterisk={false}
      visible={isShown}
      onVisibilityChange={setShown}
      visibilityToggleButtonProps={{ 'aria-label': isShown ? t.hide : t.show }}
      {...props}
    />
  );
}
