import { DOCUMENT_FORMATS, type DocumentFormat } from '../contract/flows.ts';
import { HearthError } from '../kernel/errors.ts';

/** @throws `invalid_value` */
export function documentFormat(text: string): DocumentFormat {
  const format = DOCUMENT_FORMATS.find((one) => one === text.toLowerCase());
  if (format) return format;
  throw new HearthError('invalid_value', `Invalid value for format: give ${DOCUMENT_FORMATS.join(' or ')}.`, {
    field: 'format',
  });
}
