/** Every kind of action: its form and its sentence, "Turn on Desk Lamp", "Wait 5 min". */
import {
  Bell,
  Blocks,
  CircleStop,
  GitBranch,
  GitMerge,
  Globe,
  History,
  Hourglass,
  Megaphone,
  Power,
  Repeat,
  Rows2,
  Sparkles,
  Split,
  StickyNote,
  Timer,
  Workflow,
} from 'lucide-react';
import { setText } from '../../../pickers/property-words.ts';
import { EMPTY_BLOCK, type FlowNode, isList, isObject, type Json, nodesOf, textOf, toBlock } from './flow-record.ts';
import { EXPRESSION, field, JSON_ANY, type Kind, need, PROPERTY, TEMPLATE_VALUE, TIMEOUT, VARIABLE } from './kind.ts';
import {
  accessoryName,
  automationName,
  durationWords,
  plainWords,
  propertyRef,
  type SentenceContext,
  shortened,
} from './sentence-context.ts';

export const ACTIONS: readonly Kind[] = [
  {
    type: 'set_characteristic',
    icon: Power,
    fields: [PROPERTY('write'), need('value', TEMPLATE_VALUE)],
    sentence: setting,
  },
  {
    type: 'set_service_group',
    icon: Power,
    fields: [PROPERTY('write'), need('value', TEMPLATE_VALUE)],
    sentence: setting,
  },
  {
    type: 'execute_scene',
    icon: Sparkles,
    fields: [need('sceneId', { is: 'scene' })],
    sentence(node, { inventory, texts }) {
      const id = textOf(node, 'sceneId').toLowerCase();
      const name = inventory.scenes.find((scene) => scene.id.toLowerCase() === id)?.name;
      return texts.action.scene({ name: name ?? (id === '' ? texts.notChosen.scene : texts.gone.scene) });
    },
  },
  {
    type: 'delay',
    icon: Timer,
    fields: [need('duration', { is: 'duration', templates: true })],
    initial: { duration: { minutes: 1 } },
    sentence: (node, context) => context.texts.action.delay({ duration: durationWords(node.duration, context) }),
  },
  {
    type: 'notify',
    icon: Bell,
    fields: [
      need('message', { is: 'longTemplate' }),
      field('title', { is: 'template' }),
      field('buttons', { is: 'buttons' }),
      field('tag', { is: 'text' }, { isAdvanced: true }),
      field('icon', { is: 'text' }, { isAdvanced: true }),
      field('iconColor', { is: 'text' }, { isAdvanced: true }),
      field('data', JSON_ANY, { isAdvanced: true }),
    ],
    sentence: (node, { texts }) =>
      texts.action.notify({ message: shortened(textOf(node, 'message')) || texts.notChosen.message }),
  },
  {
    type: 'if_then_else',
    icon: GitBranch,
    fields: [],
    initial: { condition: EMPTY_BLOCK },
    sentence: (node, context, { condition }) =>
      context.texts.action.if({ condition: condition(blockOf(node.condition), context) }),
  },
  {
    type: 'choose',
    icon: Split,
    fields: [],
    initial: { choices: [{ conditions: EMPTY_BLOCK, actions: [] }], default: [] },
    sentence: (node, { texts }) => texts.action.choose({ count: nodesOf(node.choices).length }),
  },
  {
    type: 'repeat',
    icon: Repeat,
    fields: [
      need('mode', { is: 'choice', choices: ['count', 'while', 'until', 'for_each'] }),
      need('count', { is: 'numberTemplate', min: 0, max: 1000 }, { when: ({ mode }) => mode === 'count' }),
      need('forEachItems', { is: 'json', shape: 'list' }, { when: ({ mode }) => mode === 'for_each' }),
    ],
    initial: { mode: 'count', count: 2, sequence: [] },
    sentence(node, context, { condition }) {
      const { repeat } = context.texts.action;
      if (node.mode === 'while') return repeat.while({ condition: condition(blockOf(node.whileCondition), context) });
      if (node.mode === 'until') return repeat.until({ condition: condition(blockOf(node.untilCondition), context) });
      if (node.mode === 'for_each') return repeat.for_each({ items: plainWords(node.forEachItems) });
      return repeat.count({ times: plainWords(node.count) });
    },
  },
  {
    type: 'parallel',
    icon: Rows2,
    fields: [],
    initial: { branches: [[], []] },
    sentence: (node, { texts }) => texts.action.parallel({ count: isList(node.branches) ? node.branches.length : 0 }),
  },
  {
    type: 'wait_for_trigger',
    icon: Hourglass,
    fields: TIMEOUT,
    initial: { triggers: [], timeout: { minutes: 5 }, continueOnTimeout: true },
    sentence(node, context, { trigger }) {
      const { action, summary } = context.texts;
      const triggers = nodesOf(node.triggers).map((one) => trigger(one, context));
      const sentence =
        triggers.length === 0 ? action.waitForNothing : action.waitFor({ what: triggers.join(summary.or) });
      return atMost(sentence, node, context);
    },
  },
  {
    type: 'wait_for_template',
    icon: Hourglass,
    fields: [EXPRESSION, ...TIMEOUT],
    initial: { timeout: { minutes: 5 }, continueOnTimeout: true },
    sentence(node, context) {
      const { action, expression } = context.texts;
      return atMost(
        action.waitUntil({ expression: expression({ text: shortened(textOf(node, 'expression')) }) }),
        node,
        context,
      );
    },
  },
  {
    type: 'restore_state',
    icon: History,
    fields: [need('nodeId', { is: 'sceneActionRef' })],
    sentence: (_, { texts }) => texts.action.restore,
  },
  {
    type: 'virtual',
    icon: Blocks,
    fields: [
      need('accessoryId', { is: 'virtualAccessory' }),
      need('operation', { is: 'operation' }),
      field('value', { is: 'operand' }, { when: ({ operation }) => operation === 'set' }),
      field('duration', { is: 'duration', templates: true }, { when: ({ operation }) => operation === 'start' }),
      field(
        'step',
        { is: 'numberTemplate', min: 0 },
        {
          when: ({ operation }) => operation === 'increment' || operation === 'decrement',
        },
      ),
    ],
    sentence(node, context) {
      const { action } = context.texts;
      const name = accessoryName(textOf(node, 'accessoryId'), context);
      const operation = textOf(node, 'operation');
      if (!Object.hasOwn(action.virtual, operation)) return action.operate({ operation: operation || '…', name });
      const sentence = action.virtual[operation as keyof typeof action.virtual]({
        name,
        value: plainWords(node.value),
      });
      return node.duration === undefined ? sentence : `${sentence} (${durationWords(node.duration, context)})`;
    },
  },
  {
    type: 'toggle_automation',
    icon: Workflow,
    fields: [
      need('automationId', { is: 'automation' }),
      need('action', { is: 'choice', choices: ['trigger', 'enable', 'disable', 'toggle'] }),
    ],
    initial: { action: 'trigger' },
    sentence(node, context) {
      const { automation } = context.texts.action;
      const what = textOf(node, 'action');
      const sentences = automation[Object.hasOwn(automation, what) ? (what as keyof typeof automation) : 'trigger'];
      return sentences({ name: automationName(textOf(node, 'automationId'), context) });
    },
  },
  {
    type: 'call_script',
    icon: Workflow,
    fields: [
      need('scriptId', { is: 'flow' }),
      field('variables', { is: 'entries', values: 'json' }, { isAdvanced: true }),
      VARIABLE,
    ],
    sentence: (node, context) =>
      context.texts.action.script({ name: automationName(textOf(node, 'scriptId'), context) }),
  },
  {
    type: 'fire_webhook',
    icon: Globe,
    fields: [
      need('url', { is: 'template' }),
      field('method', { is: 'choice', choices: ['GET', 'POST', 'PUT', 'DELETE'] }),
      field('headers', { is: 'entries', values: 'text' }, { isAdvanced: true }),
      field('body', JSON_ANY),
    ],
    initial: { method: 'POST' },
    sentence: (node, { texts }) =>
      texts.action.request({ method: textOf(node, 'method') || 'POST', host: hostOf(textOf(node, 'url')) }),
  },
  {
    type: 'fire_event',
    icon: Megaphone,
    fields: [need('eventType', { is: 'text' }), field('eventData', JSON_ANY)],
    sentence: (node, { texts }) => texts.action.event({ type: textOf(node, 'eventType') }),
  },
  {
    type: 'variables',
    icon: StickyNote,
    fields: [need('variables', { is: 'entries', values: 'json' })],
    initial: { variables: {} },
    sentence(node, { texts, format }) {
      const names = isObject(node.variables) ? Object.keys(node.variables) : [];
      return names.length === 0 ? texts.action.noVariables : texts.action.variables({ names: format.list(names) });
    },
  },
  {
    type: 'merge',
    icon: GitMerge,
    fields: [
      need('inputIds', { is: 'actionRefs' }),
      field('mode', { is: 'choice', choices: ['append', 'combine', 'wait_all'] }),
      field('combineKey', { is: 'text' }, { when: ({ mode }) => mode === 'combine' }),
    ],
    initial: { mode: 'append', inputIds: [] },
    sentence: (node, { texts }) => texts.action.merge({ count: isList(node.inputIds) ? node.inputIds.length : 0 }),
  },
  {
    type: 'stop',
    icon: CircleStop,
    fields: [field('reason', { is: 'template' }), field('error', { is: 'flag' }), VARIABLE],
    sentence(node, { texts }) {
      const reason = shortened(textOf(node, 'reason'));
      if (reason !== '') return texts.action.stopBecause({ reason });
      return node.error === true ? texts.action.fail : texts.action.stop;
    },
  },
];

function setting(node: FlowNode, { inventory, words, texts }: SentenceContext): string {
  const ref = propertyRef(node);
  return ref ? setText(inventory, ref, node.value, words) : texts.action.incompleteProperty;
}

function atMost(sentence: string, { timeout }: FlowNode, context: SentenceContext): string {
  if (timeout === undefined) return sentence;
  return context.texts.action.atMost({ sentence, duration: durationWords(timeout, context) });
}

function blockOf(value: Json | undefined): FlowNode {
  return toBlock(isObject(value) || isList(value) ? value : undefined);
}

/** Addresses may contain secrets, so only the host is shown. */
function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : shortened(url.replace(/\?.*$/, '')) || '…';
}
