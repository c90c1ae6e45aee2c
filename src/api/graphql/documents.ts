/**
 * Turns a document's text into an executable document: within the limits, parsed, validated against the schema and
 * affordable. Clients send the same few texts again and again, so accepted documents are cached, with the least
 * recently used evicted first. Bad documents are not cached: their senders wait for the whole check each time.
 */
import {
  type DocumentNode,
  GraphQLError,
  type GraphQLSchema,
  parse,
  specifiedRules,
  type ValidationRule,
  VariablesInAllowedPositionRule,
  validate,
} from 'graphql';
import { checkCost } from './cost.ts';
import { checkDocument, checkText, MAX_DOCUMENT_ERRORS, MAX_TOKENS } from './limits.ts';
import { LooseVariablesRule } from './loose-variables.ts';
import { requirePublicFields, signInRequired } from './public-fields.ts';

/** Enough for GraphiQL, a dashboard and a handful of integrations, each with its own queries. */
const MAX_DOCUMENTS = 100;

/** Characters of all cached texts together: a syntax tree takes about a hundred times its text's memory. */
const MAX_CHARACTERS = 131_072;

/** All of GraphQL's own rules, except the one that existing clients violate. */
const RULES: readonly ValidationRule[] = specifiedRules.map((rule) =>
  rule === VariablesInAllowedPositionRule ? LooseVariablesRule : rule,
);

export type Prepared =
  | { readonly ok: true; readonly document: DocumentNode }
  | { readonly ok: false; readonly errors: readonly GraphQLError[] };

export class Documents {
  readonly #schema: GraphQLSchema;
  /** By text, least recently used first. */
  readonly #known = new Map<string, DocumentNode>();
  #characters = 0;

  constructor(schema: GraphQLSchema) {
    this.#schema = schema;
  }

  /**
   * @returns the document, or its errors.
   * @throws `invalid_request` it exceeds a limit
   */
  prepare(text: string): Prepared {
    const known = this.#known.get(text);
    if (known) {
      this.#known.delete(text);
      this.#known.set(text, known);
      return { ok: true, document: known };
    }
    const prepared = prepare(text, this.#schema, {});
    if (prepared.ok) this.#remember(text, prepared.document);
    return prepared;
  }

  /**
   * Like `prepare`, for a caller without a session. Nothing is cached: strangers could evict documents in use.
   * @throws `invalid_token` it is not a document, or it requests more than public fields · `invalid_request` it exceeds
   * a limit
   */
  prepareForStranger(text: string): Prepared {
    return prepare(text, this.#schema, { publicOnly: true });
  }

  #remember(text: string, document: DocumentNode): void {
    this.#known.set(text, document);
    this.#characters += text.length;
    for (const oldest of this.#known.keys()) {
      if (this.#known.size <= MAX_DOCUMENTS && this.#characters <= MAX_CHARACTERS) return;
      this.#known.delete(oldest);
      this.#characters -= oldest.length;
    }
  }
}

function prepare(text: string, schema: GraphQLSchema, { publicOnly = false }): Prepared {
  let document: DocumentNode;
  try {
    checkText(text);
    document = parse(text, { maxTokens: MAX_TOKENS });
  } catch (error) {
    if (!(error instanceof GraphQLError)) throw error;
    if (publicOnly) throw signInRequired();
    return { ok: false, errors: [error] };
  }
  if (publicOnly) requirePublicFields(document);
  checkDocument(document);
  const options = { maxErrors: MAX_DOCUMENT_ERRORS, hideSuggestions: publicOnly };
  const errors = validate(schema, document, RULES, options);
  if (errors.length > 0) return { ok: false, errors };
  checkCost(document, schema);
  return { ok: true, document };
}
