import { characteristicByName } from '../../../hap-spec/characteristics.ts';
import { serviceByName } from '../../../hap-spec/services.ts';

/**
 * The canonical types of the service and the characteristic that share a name. @throws if the spec tables lack the name
 */
export function typesNamed(name: string): { readonly serviceType: string; readonly type: string } {
  const service = serviceByName(name);
  const characteristic = characteristicByName(name);
  if (!service || !characteristic) throw new Error(`The HAP tables have no ${name}`);
  return { serviceType: service.type, type: characteristic.type };
}
