/** Selects the homes within reach: all of them, or some with a level each. */

import appsTexts from 'texts:apps';
import { NativeSelect, Radio, Stack } from '@mantine/core';
import { useAccount } from '../../../account/account.ts';
import { useTexts } from '../../../texts/texts.ts';
import { type HomePermissions, withPermission } from './permissions.ts';

interface PermissionsFieldProps {
  readonly value: HomePermissions;
  readonly onChange: (permissions: HomePermissions) => void;
}

export function PermissionsField({ value, onChange }: PermissionsFieldProps) {
  const { permissions: t } = useTexts(appsTexts);
  const { homes } = useAccount();
  return (
    <>
      <Radio.Group
        label={t.label}
        value={value === null ? 'all' : 'some'}
        onChange={(choice) => onChange(choice === 'all' ? null : {})}
      >
        <Stack gap="sm" mt="xs">
          <Radio value="all" label={t.all} description={t.allHint} />
          <Radio value="some" label={t.some} />
        </Stack>
      </Radio.Group>
      {value !== null &&
        homes.map(({ id, name }) => (
          <NativeSelect
            key={id}
            label={name}
            value={value[id] ?? ''}
            onChange={({ currentTarget: { value: level } }) =>
              onChange(withPermission(value, id, level === 'view' || level === 'control' ? level : undefined))
            }
            data={[
              { value: '', label: t.none },
              { value: 'view', label: t.view },
              { value: 'control', label: t.control },
            ]}
          />
        ))}
    </>
  );
}

/** As text: "all homes", "Cottage (look)". */
export function usePermissionsText(): (permissions: HomePermissions) => string {
  const { permissions: t } = useTexts(appsTexts);
  const { homes } = useAccount();
  return (permissions) => {
    if (permissions === null) return t.allHomes;
    const names = Object.entries(permissions).map(([id, level]) => {
      const name = homes.find((home) => home.id === id)?.name ?? t.otherHome;
      return t.homeWith({ home: name, level: level === 'view' ? t.view : t.control });
    });
    return names.length > 0 ? names.join(', ') : t.none;
  };
}
