/** Flows as documents that people store and share: the only bodies of the REST API that may be YAML. */
import type { Flow } from '../../app/automations/flow.ts';
import type { Flows } from '../../app/automations/flows/flows.ts';
import type { DocumentFormat } from '../../contract/flows.ts';
import { HearthError } from '../../kernel/errors.ts';
import { documentFormat } from '../document-format.ts';
import { type ApiContext, headerOf } from '../env.ts';
import { readText } from '../read-body.ts';
import { queryId, queryText } from '../read-query.ts';
import { answer } from '../respond.ts';

const CONTENT_TYPES: Readonly<Record<DocumentFormat, string>> = {
  yaml: 'application/yaml; charset=utf-8',
  json: 'application/json',
};

/** The type of RFC 9512, and older ones in use. An HTML form of another site can send none of them. */
const FORMAT_OF_TYPE: Readonly<Record<string, DocumentFormat>> = {
  'application/yaml': 'yaml',
  'application/x-yaml': 'yaml',
  'text/yaml': 'yaml',
  'application/json': 'json',
};

/** @throws what `export` throws · `invalid_value` the format */
export async function exportFlow(flows: Flows, c: ApiContext): Promise<Response> {
  const format = documentFormat(queryText(c, 'format') ?? 'yaml');
  const text = await flows.export(c.get('caller'), c.req.param('id') ?? '', format);
  return answer(text, 200, { 'Content-Type': CONTENT_TYPES[format] });
}

/** @throws what `import` throws · `unsupported_media_type` · `invalid_request` */
export async function importFlow(flows: Flows, c: ApiContext): Promise<Flow> {
  const format = bodyFormat(c);
  const homeId = queryId(c, 'home');
  if (homeId === undefined) {
    throw new HearthError('invalid_request', 'Choose a home: add ?home=<id>.', { field: 'home' });
  }
  return flows.import(c.get('caller'), homeId, await readText(c), format);
}

function bodyFormat(c: ApiContext): DocumentFormat {
  const [type = '', ...parameters] = (headerOf(c, 'content-type') ?? '').toLowerCase().split(';');
  const format = FORMAT_OF_TYPE[type.trim()];
  const charset = parameters.map((parameter) => parameter.trim()).find((parameter) => parameter.startsWith('charset='));
  const isPlain = (headerOf(c, 'content-encoding') ?? 'identity') === 'identity';
  if (format && isPlain && (charset === undefined || /^charset="?utf-8"?$/.test(charset))) return format;
  throw new HearthError(
    'unsupported_media_type',
    'Send the document uncompressed in UTF-8, with the header "Content-Type: application/yaml" or "application/json".',
  );
}
