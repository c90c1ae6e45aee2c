/** The sentence of each kind of action: "Turn on Desk Lamp", "Wait 5 min". */
import { setText } from '../../../pickers/property-words.ts';
import { type FlowNode, isList, isObject, type Json, nodesOf, textOf, toBlock } from './flow-record.ts';
import {
  accessoryName,
  automationName,
  durationWords,
  plainWords,
  propertyRef,
  type Sentence,
  type SentenceContext,
  shortened,
} from './sentence-context.ts';

/** Describe the conditions and triggers inside an action. */
interface Describers {
  readonly condition: Sentence;
  readonly trigger: Sentence;
}

type ActionSentence = (node: FlowNode, context: SentenceContext, describers: Describers) => string;

export const ACTION_SENTENCES: Readonly<Record<string, ActionSentence>> = {
  set_characteristic: setting,
  set_service_group: setting,

  execute_scene(node, { inventory, texts }) {
    const id = textOf(node, 'sceneId').toLowerCase();
    const name = inventory.scenes.find((scene) => scene.id.toLowerCase() === id)?.name;
    return texts.action.scene({ name: name ?? (id === '' ? texts.notChosen.scene : texts.gone.scene) });
  },

  delay: (node, context) => context.texts.action.delay({ duration: durationWords(node.duration, context) }),

  notify: (node, { texts }) =>
    texts.action.notify({ message: shortened(textOf(node, 'message')) || texts.notChosen.message }),

  if_then_else: (node, context, { condition }) =>
    context.texts.action.if({ condition: condition(blockOf(node.condition), context) }),

  choose: (node, { texts }) => texts.action.choose({ count: nodesOf(node.choices).length }),

  repeat(node, context, { condition }) {
    const { repeat } = context.texts.action;
    if (node.mode === 'while') return repeat.while({ condition: condition(blockOf(node.whileCondition), context) });
    if (node.mode === 'until') return repeat.until({ condition: condition(blockOf(node.untilCondition), context) });
    if (node.mode === 'for_each') return repeat.for_each({ items: plainWords(node.forEachItems) });
    return repeat.count({ times: plainWords(node.count) });
  },

  parallel: (node, { texts }) => texts.action.parallel({ count: isList(node.branches) ? node.branches.length : 0 }),

  wait_for_trigger(node, context, { trigger }) {
    const { action, summary } = context.texts;
    const triggers = nodesOf(node.triggers).map((one) => trigger(one, context));
    const sentence =
      triggers.length === 0 ? action.waitForNothing : action.waitFor({ what: triggers.join(summary.or) });
    return atMost(sentence, node, context);
  },

  wait_for_template(node, context) {
    const { action, expression } = context.texts;
    return atMost(
      action.waitUntil({ expression: expression({ text: shortened(textOf(node, 'expression')) }) }),
      node,
      context,
    );
  },

  restore_state: (_, { texts }) => texts.action.restore,

  virtual(node, context) {
    const { action } = context.texts;
    const name = accessoryName(textOf(node, 'accessoryId'), context);
    const operation = textOf(node, 'operation');
    if (!Object.hasOwn(action.virtual, operation)) return action.operate({ operation: operation || '…', name });
    const sentence = action.virtual[operation as keyof typeof action.virtual]({ name, value: plainWords(node.value) });
    return node.duration === undefined ? sentence : `${sentence} (${durationWords(node.duration, context)})`;
  },

  toggle_automation(node, context) {
    const { automation } = context.texts.action;
    const what = textOf(node, 'action');
    const sentences = automation[Object.hasOwn(automation, what) ? (what as keyof typeof automation) : 'trigger'];
    return sentences({ name: automationName(textOf(node, 'automationId'), context) });
  },

  call_script: (node, context) =>
    context.texts.action.script({ name: automationName(textOf(node, 'scriptId'), context) }),

  fire_webhook: (node, { texts }) =>
    texts.action.request({ method: textOf(node, 'method') || 'POST', host: hostOf(textOf(node, 'url')) }),

  fire_event: (node, { texts }) => texts.action.event({ type: textOf(node, 'eventType') }),

  variables(node, { texts, format }) {
    const names = isObject(node.variables) ? Object.keys(node.variables) : [];
    return names.length === 0 ? texts.action.noVariables : texts.action.variables({ names: format.list(names) });
  },

  merge: (node, { texts }) => texts.action.merge({ count: isList(node.inputIds) ? node.inputIds.length : 0 }),

  stop(node, { texts }) {
    const reason = shortened(textOf(node, 'reason'));
    if (reason !== '') return texts.action.stopBecause({ reason });
    return node.error === true ? texts.action.fail : texts.action.stop;
  },
};

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
