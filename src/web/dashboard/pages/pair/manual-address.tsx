/** Adds an accessory by its address, for networks without multicast. */

import pairTexts from 'texts:pair';
import { Button, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useTexts } from '../../texts/texts.ts';
import { isHostPort } from './discovered.ts';

export function ManualAddress({ onChoose }: { onChoose(hostPort: string): void }) {
  const t = useTexts(pairTexts);
  const [error, setError] = useState<string>();
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const text = String(new FormData(event.currentTarget).get('address')).trim();
    if (isHostPort(text)) onChoose(text);
    else setError(t.addressBad);
  };
  return (
    <form onSubmit={submit} noValidate>
      <TextInput
        name="address"
        label={t.address}
        description={t.addressHint}
        error={error}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        onChange={() => setError(undefined)}
      />
      <Button type="submit" variant="default" mt="sm">
        {t.go}
      </Button>
    </form>
  );
}
