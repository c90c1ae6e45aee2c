/** Any value that JSON can express. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;

export interface JsonObject {
  readonly [key: string]: Json | undefined;
}

/** An object with unchecked content. */
export type UnknownRecord = Readonly<Record<string, unknown>>;
