/** Role options, each with an explanation. */

import peopleTexts from 'texts:people';
import { Radio, Stack } from '@mantine/core';
import { useTexts } from '../../texts/texts.ts';
import type { Role } from './roles.ts';

interface RolePickerProps {
  readonly roles: readonly Role[];
  readonly value: Role;
  readonly onChange: (role: Role) => void;
}

export function RolePicker({ roles, value, onChange }: RolePickerProps) {
  const t = useTexts(peopleTexts);
  return (
    <Radio.Group label={t.role} value={value} onChange={(role) => onChange(role as Role)}>
      <Stack gap="sm" mt="xs">
        {roles.map((role) => (
          <Radio key={role} value={role} label={t.roles[role]} description={t.roleMeans[role]} />
        ))}
      </Stack>
    </Radio.Group>
  );
}
