/** The types of fields that several kinds of triggers, conditions and actions have, in stored form. */
import type { Json } from '../../kernel/json.ts';

/** All parts are optional, and negative only in offsets; each field has a maximum for the total. */
export interface Duration {
  readonly hours?: number;
  readonly minutes?: number;
  readonly seconds?: number;
}

/** One accessory, or a service group presented as one accessory. */
export type Target =
  | { readonly accessoryId: string; readonly serviceGroupId?: undefined }
  | { readonly serviceGroupId: string; readonly accessoryId?: undefined };

/**
 * Text in which `{{ expression }}` is replaced by its value. A text that is exactly one expression keeps the value's
 * type.
 */
export type Template = string;
/** A JSON value in which any text may be a template. */
export type TemplateValue = Json;
/** A number, or an expression that yields one. */
export type TemplateNumber = number | Template;
export type TemplateDuration =
  | { readonly hours?: TemplateNumber; readonly minutes?: TemplateNumber; readonly seconds?: TemplateNumber }
  | Template;
