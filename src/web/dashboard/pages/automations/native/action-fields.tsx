import { useHome } from '../../../home/use-home.ts';
import { AccessoryPropertyPicker } from '../../../pickers/accessory-property-picker.tsx';
import { findProperty } from '../../../pickers/property.ts';
import { ValueInput } from '../../../pickers/value-input.tsx';
import { firstValueOf } from './event-fields.tsx';
import type { NativeAction } from './native-draft.ts';

interface ActionFieldsProps {
  readonly action: NativeAction;
  readonly onChange: (action: NativeAction) => void;
}

/** One value for one accessory. */
export function ActionFields({ action, onChange }: ActionFieldsProps) {
  const inventory = useHome();
  const property = findProperty(inventory, action);
  return (
    <>
      <AccessoryPropertyPicker
        value={action.accessoryId ? action : undefined}
        filter={({ characteristic }) => characteristic.canWrite}
        onChange={(ref) => {
          const next = findProperty(inventory, ref);
          onChange({ ...ref, targetValue: firstValueOf(next) ?? next?.characteristic.value });
        }}
      />
      {property && (
        <ValueInput
          property={property}
          value={action.targetValue}
          onChange={(targetValue) => onChange({ ...action, targetValue })}
        />
      )}
    </>
  );
}
