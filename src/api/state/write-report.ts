import type { SettingOutcome } from '../../app/control/outcome.ts';
import type { TargetOutcome } from '../../app/groups/service-groups.ts';
import type { StateReport } from '../../contract/state.ts';
import { HearthError } from '../../kernel/errors.ts';
import type { StateTarget, StateWrite } from './parse-write.ts';

/**
 * @param outcomes one per target, in order.
 * @throws `relay_not_connected` if every write failed for this reason
 */
export function reportStateWrite(
  write: Omit<StateWrite, 'namesOtherHome'>,
  outcomes: readonly TargetOutcome[],
): StateReport {
  const changes: string[] = [];
  const errors = [...write.errors];
  const codes = new Set<string>(write.errors.map(() => 'not_found'));
  let failed = write.errors.length;
  for (const [index, { settings }] of outcomes.entries()) {
    const target = write.targets[index];
    if (!target) continue;
    const done = settings.filter((setting) => setting.ok);
    const refused = settings.filter((setting) => !setting.ok);
    if (done.length > 0)
      changes.push(`${target.path}: ${done.map((setting) => presentChange(setting, target)).join(', ')}`);
    if (refused.length > 0) failed += 1;
    for (const { property, code, message, member } of refused) {
      errors.push(`${target.path}.${shorten(property)}: ${member === undefined ? '' : `${member}: `}${message}`);
      codes.add(code);
    }
  }
  if (changes.length === 0 && codes.size === 1 && codes.has('relay_not_connected')) {
    throw new HearthError('relay_not_connected', 'Relay not connected');
  }
  const updated = changes.length;
  const message = updated === 0 ? 'No updates' : `Updated ${updated} ${updated === 1 ? 'accessory' : 'accessories'}`;
  return { updated, failed, changes, errors, message };
}

/** With the caller's own value: the characteristic behind `lock_target=true` has the value 1. */
function presentChange({ property }: SettingOutcome, { settings }: StateTarget): string {
  return `${property}=${String(settings[property])}`;
}

function shorten(property: string): string {
  return property.length > 60 ? `${property.slice(0, 60)}…` : property;
}
