/** Parsers of the actions that send messages: to people, other automations, other programs. */
import { faultOfHeaderName, faultOfHeaderValue } from '../../../home/http-sender.ts';
import { shorten } from '../../../home/vocabulary/values.ts';
import { type ActionOf, HTTP_METHODS } from '../flow.ts';
import { fault, invalid } from '../parsing/faults.ts';
import { parseEventType } from '../parsing/field-kinds.ts';
import { type Fields, given } from '../parsing/fields.ts';
import { hasTemplate, type Parsing, requireVariableName } from '../parsing/parsing.ts';
import type { ActionParsers } from './action-parser.ts';

type HomeActions = 'notify' | 'fire_event' | 'fire_webhook' | 'toggle_automation' | 'call_script';

const MAX_HEADERS = 50;
const MAX_ICON_LENGTH = 2_048;

export const HOME_ACTIONS: ActionParsers<HomeActions> = {
  notify: (fields, parsing) =>
    given({
      message: parseMessage(fields, parsing),
      title: parsing.optionalTemplate(fields, 'title'),
      icon: optionalIcon(fields, 'icon'),
      iconColor: optionalIcon(fields, 'iconColor'),
      data: optionalTemplates(fields, 'data', parsing),
    }),

  fire_event: (fields, parsing) =>
    given({
      eventType: parseEventType(fields.required('eventType', 'the name of an event'), fields.at('eventType')),
      eventData: optionalTemplates(fields, 'eventData', parsing),
    }),

  fire_webhook: (fields, parsing) =>
    given({
      url: parseUrl(fields, parsing),
      method: fields.optionalOneOf('method', HTTP_METHODS) ?? 'POST',
      headers: optionalHeaders(fields, parsing),
      body: optionalTemplates(fields, 'body', parsing),
    }),

  toggle_automation(fields, parsing) {
    const automationId = parseAutomationId(fields, 'automationId', parsing, true);
    return { automationId, action: fields.oneOf('action', ['enable', 'disable', 'toggle', 'trigger']) };
  },

  call_script: (fields, parsing) =>
    given({
      scriptId: parseAutomationId(fields, 'scriptId', parsing, false),
      variables: parsing.variables(fields, 'variables', true),
      responseVariable: optionalVariable(fields, 'responseVariable'),
    }),
};

/** The name of a variable to set. @throws `invalid_value` */
export function optionalVariable(fields: Fields, name: string): string | undefined {
  const variable = fields.optionalText(name);
  if (variable !== undefined) requireVariableName(variable, fields.at(name));
  return variable;
}

/** Any JSON value with templates in it; `null` equals an omitted field. */
export function optionalTemplates(fields: Fields, name: string, parsing: Parsing) {
  const value = fields.raw(name);
  return value === undefined ? undefined : parsing.templates(value, fields.at(name));
}

/** The rendered message must not be blank either; that is checked at run time. @throws `invalid_value` */
function parseMessage(fields: Fields, parsing: Parsing): string {
  const message = fields.text('message');
  if (message.trim() === '') throw invalid(fields.at('message'), 'it must have something to say');
  return parsing.template(message, fields.at('message'));
}

/** An automation of the home, possibly the flow itself. @throws `automation_not_found` */
function parseAutomationId(fields: Fields, name: string, parsing: Parsing, mayBeNative: boolean): string {
  const { context } = parsing;
  const id = fields.text(name, "an automation's id").toLowerCase();
  const found = context.flows(id) ?? (mayBeNative ? context.natives?.(id) : undefined);
  const isGone = found === undefined && parsing.isNamedNow(id);
  if (id === context.flowId || found?.homeId === context.homeId || isGone) return id;
  throw fault('automation_not_found', fields.at(name), 'Automation not found');
}

function parseUrl(fields: Fields, parsing: Parsing): string {
  const url = fields.text('url', 'an address that begins with http:// or https://').trim();
  const path = fields.at('url');
  if (hasTemplate(url)) return parsing.template(url, path);
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed?.protocol === 'http:' || parsed?.protocol === 'https:') return url;
  throw invalid(path, 'it must be an address that begins with http:// or https://');
}

function optionalHeaders(fields: Fields, parsing: Parsing): ActionOf<'fire_webhook'>['headers'] {
  const headers = fields.object('headers');
  if (!headers) return undefined;
  const names = Object.keys(fields.raw('headers') as object);
  if (names.length > MAX_HEADERS) throw invalid(headers.path, `there may be at most ${MAX_HEADERS} headers`);
  const entries = names.map((name) => {
    const path = headers.at(name);
    const nameFault = name in {} ? 'is no name of a header' : faultOfHeaderName(name);
    if (nameFault !== null) throw invalid(headers.at(shorten(name)), `it ${nameFault}`);
    const value = headers.text(name);
    // The value of a template is validated when the request is sent.
    const valueFault = hasTemplate(value) ? null : faultOfHeaderValue(value);
    if (valueFault !== null) throw invalid(path, `it ${valueFault}`);
    return [name, parsing.template(value, path)] as const;
  });
  return Object.fromEntries(entries);
}

/** Whether the icon can be shown is checked at run time. */
function optionalIcon(fields: Fields, name: string): string | undefined {
  const icon = fields.optionalText(name);
  if (icon === undefined || icon.length <= MAX_ICON_LENGTH) return icon;
  throw invalid(fields.at(name), `it must have at most ${MAX_ICON_LENGTH} characters`);
}
