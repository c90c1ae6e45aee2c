/** Adds an accessory by its address, for networks without multicast. */

import pairTexts from 'texts:pair';
import { Button, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useTexts } from '../../texts/texts.ts';
import { isHostPort } from './discovered.ts';

export function ManualAddress({ onChoose }: { onChoose(hostPort: string): void }) {
  const t = useTexts(pairTexts);
  const form = useForm({
    initialValues: { address: '' },
    validate: { address: (address) => (isHostPort(address.trim()) ? null : t.addressBad) },
  });
  return (
    <form onSubmit={form.onSubmit(({ address }) => onChoose(address.trim()))} noValidate>
      <TextInput
        label={t.address}
        description={t.addressHint}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        {...form.getInputProps('address')}
      />
      <Button type="submit" variant="default" mt="sm">
        {t.go}
      </Button>
    </form>
  );
}
