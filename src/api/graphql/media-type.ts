/** Negotiates which of GraphQL's two media types a response has (GraphQL over HTTP §4.3 "Accept"). */

export const GRAPHQL_RESPONSE = 'application/graphql-response+json';
const JSON_TYPE = 'application/json';

export type MediaType = typeof GRAPHQL_RESPONSE | typeof JSON_TYPE;

/** The type that each range of an Accept header selects. Clients without a preference get plain JSON. */
const RANGES: Readonly<Record<string, MediaType>> = {
  [GRAPHQL_RESPONSE]: GRAPHQL_RESPONSE,
  [JSON_TYPE]: JSON_TYPE,
  'application/*': JSON_TYPE,
  '*/*': JSON_TYPE,
};

/** Server-sent events: the type of subscriptions, and of other results only if the client accepts nothing else. */
const EVENT_STREAM = 'text/event-stream';

/**
 * Whether the client accepts a stream of results. Only if it names the type: a stream never ends, and a wildcard does
 * not ask for that.
 */
export function takesStream(accept: string | undefined): boolean {
  return rangesOf(accept ?? '').some(({ range, weight }) => range === EVENT_STREAM && weight > 0);
}

/**
 * The type preferred by weight, then by position; `undefined` if the client accepts neither, or only another charset.
 */
export function negotiate(accept: string | undefined): MediaType | undefined {
  if (accept === undefined || accept.trim() === '') return JSON_TYPE;
  const wanted = rangesOf(accept).flatMap(({ range, weight, charset }) => {
    const type = RANGES[range];
    return type && weight > 0 && /^"?utf-?8"?$/.test(charset) ? [{ type, weight }] : [];
  });
  // Stable sort: of equal weights the first stays first.
  return wanted.sort((a, b) => b.weight - a.weight)[0]?.type;
}

export function contentType(type: MediaType): { readonly 'Content-Type': string } {
  return { 'Content-Type': `${type}; charset=utf-8` };
}

/** The media ranges of an Accept header (RFC 9110 §12.5.1), lower case. */
function rangesOf(accept: string) {
  return accept
    .toLowerCase()
    .split(',')
    .map((entry) => {
      const [range = '', ...parameters] = entry.split(';').map((part) => part.trim());
      const weight = Number(parameterOf(parameters, 'q') ?? 1);
      return { range, weight, charset: parameterOf(parameters, 'charset') ?? 'utf-8' };
    });
}

function parameterOf(parameters: readonly string[], name: string): string | undefined {
  return parameters.find((parameter) => parameter.startsWith(`${name}=`))?.slice(name.length + 1);
}
