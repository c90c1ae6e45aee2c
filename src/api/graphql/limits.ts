/**
 * Limits the size and complexity of a GraphQL request by its text and syntax tree alone. The check comes before the
 * schema, since validating a hostile document is itself expensive. `cost.ts` limits the cost of execution.
 *
 * Counts are as if every fragment were written out where it is spread, but each fragment is walked once: a document in
 * which thirty fragments double each other costs thirty walks, not a billion.
 */
import { type DocumentNode, Kind, Lexer, Source, TokenKind } from 'graphql';
import { HearthError } from '../../kernel/errors.ts';
import { type Measure, measureDocument } from './measure.ts';

/** Characters. GraphiQL's introspection query has 1,500, the longest documents of existing clients 4,000. */
const MAX_DOCUMENT_LENGTH = 16_384;

/** Names, brackets, values. The cost of parsing and validating grows with them; no known client reaches a fifth. */
export const MAX_TOKENS = 3_000;

/** Nested brackets, of any kind. Parser and validation recurse by them; introspection needs 16. */
const MAX_NESTING = 32;

/** Operations in one document; only one is executed, but all are validated. */
const MAX_OPERATIONS = 10;

/** Document and variables together, in bytes: enough for the largest collection or scene, far below a harmful size. */
const MAX_REQUEST_BYTES = 262_144;

/** Nested objects and lists in `variables`. A scene's actions need four. */
const MAX_VARIABLES_DEPTH = 16;

/** Maximum errors reported for one document, so that a thousand wrong fields do not produce a thousand messages. */
export const MAX_DOCUMENT_ERRORS = 10;

interface Limit {
  readonly of: (measure: Measure) => number;
  readonly most: number;
  /** The message, with the limit. */
  readonly message: (most: number) => string;
}

const LIMITS: readonly Limit[] = [
  {
    // homes, rooms, accessories, services, characteristics, value: six. The rest is room for the schema to grow.
    of: (measure) => measure.depth,
    most: 10,
    message: (most) => `The query is too deep: at most ${most} fields may be inside each other.`,
  },
  {
    // The usual introspection query unwraps types nine times, fifteen levels deep.
    of: (measure) => measure.introspectionDepth,
    most: 16,
    message: (most) => `The introspection is too deep: at most ${most} fields may be inside each other.`,
  },
  {
    // Validation compares fields of one name with each other, so its cost grows with the square. Introspection has 230.
    of: (measure) => measure.fields,
    most: 300,
    message: (most) =>
      `The query has too many fields: ${most} at most, with those of its fragments wherever they are used.`,
  },
  {
    of: (measure) => measure.rootFields,
    most: 50,
    message: (most) => `The operation has too many fields at its root: ${most} at most.`,
  },
  {
    // Aliases allow one request to do one thing many times: to guess, or to move the same home again and again.
    of: (measure) => measure.aliases,
    most: 50,
    message: (most) => `The operation has too many aliases: ${most} at most.`,
  },
  {
    of: (measure) => Math.max(0, ...measure.aliasesByField.values()),
    most: 30,
    message: (most) =>
      `One field has too many aliases: ${most} at most. A scene or a service group reaches many devices at once.`,
  },
  {
    of: (measure) => measure.spreads,
    most: 100,
    message: (most) => `The operation spreads too many fragments: ${most} at most, with those inside fragments.`,
  },
  {
    of: (measure) => measure.directives,
    most: 50,
    message: (most) => `The operation has too many directives: ${most} at most.`,
  },
];

/**
 * Before parsing.
 * @throws `invalid_request` · `GraphQLError` at an invalid character
 */
export function checkText(text: string): void {
  if (text.length > MAX_DOCUMENT_LENGTH) {
    throw tooMuch(`The document is too long: ${MAX_DOCUMENT_LENGTH} characters at most.`);
  }
  const lexer = new Lexer(new Source(text));
  let nesting = 0;
  let tokens = 0;
  for (let { kind } = lexer.advance(); kind !== TokenKind.EOF; { kind } = lexer.advance()) {
    tokens += 1;
    if (tokens > MAX_TOKENS) throw tooMuch(`The document is too long: ${MAX_TOKENS} tokens at most.`);
    if (OPENING.has(kind)) nesting += 1;
    if (CLOSING.has(kind)) nesting -= 1;
    if (nesting > MAX_NESTING) throw tooMuch(`The document nests too deep: ${MAX_NESTING} brackets at most.`);
  }
}

const OPENING: ReadonlySet<string> = new Set([TokenKind.BRACE_L, TokenKind.BRACKET_L, TokenKind.PAREN_L]);
const CLOSING: ReadonlySet<string> = new Set([TokenKind.BRACE_R, TokenKind.BRACKET_R, TokenKind.PAREN_R]);

/** After parsing, before validating. @throws `invalid_request` */
export function checkDocument(document: DocumentNode): void {
  const operations = document.definitions.filter(({ kind }) => kind === Kind.OPERATION_DEFINITION);
  if (operations.length > MAX_OPERATIONS) {
    throw tooMuch(`The document has too many operations: ${MAX_OPERATIONS} at most.`);
  }
  for (const measure of measureDocument(document)) {
    for (const { of, most, message } of LIMITS) {
      if (of(measure) > most) throw tooMuch(message(most));
    }
  }
}

/** @throws `payload_too_large` */
export function checkRequestSize(bytes: number): void {
  if (bytes <= MAX_REQUEST_BYTES) return;
  throw new HearthError('payload_too_large', `A GraphQL request may have ${MAX_REQUEST_BYTES} bytes at most.`);
}

/** @throws `invalid_request` */
export function checkVariables(variables: unknown): void {
  if (depthReaches(variables, MAX_VARIABLES_DEPTH + 1)) {
    throw tooMuch(`The variables nest too deep: ${MAX_VARIABLES_DEPTH} levels at most.`);
  }
}

/** Whether objects and lists are nested `depth` deep. It looks no deeper, so that no depth overflows the stack. */
function depthReaches(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return depth <= 1 || Object.values(value).some((inner) => depthReaches(inner, depth - 1));
}

function tooMuch(message: string): HearthError {
  return new HearthError('invalid_request', message);
}
