import { HearthError } from '../../kernel/errors.ts';

export function invalid(field: string, accepted: string): HearthError {
  return new HearthError('invalid_value', `Invalid value for ${field}: ${accepted}.`, { field });
}
