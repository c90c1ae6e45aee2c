/** What can be done with several paired devices: with their accessories in this home, and with their pairings. */
import { SelectedAccessories } from '../../home/select/selected-accessories.tsx';
import { type DeviceEntry, titleOf } from './device-health.ts';
import { DeviceMenu } from './device-menu.tsx';

interface SelectedDevicesProps {
  readonly entries: readonly DeviceEntry[];
  readonly onSelectAll: () => void;
  readonly onEnd: () => void;
}

export function SelectedDevices({ entries, onSelectAll, onEnd }: SelectedDevicesProps) {
  const devices = entries.map(({ device }) => ({
    deviceId: device.deviceId,
    name: titleOf(device),
    isThere: device.status === 'connected',
  }));
  return (
    <SelectedAccessories
      ids={entries.flatMap(({ accessories }) => accessories.map(({ id }) => id))}
      count={entries.length}
      onSelectAll={onSelectAll}
      onEnd={onEnd}
    >
      <DeviceMenu devices={devices} onDone={onEnd} />
    </SelectedAccessories>
  );
}
