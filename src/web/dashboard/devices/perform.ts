/** Executes the action of a tap, after a confirmation if one is needed. */

import deviceTexts from 'texts:devices';
import type { HomeAccessory } from '../home/home-document.ts';
import { type Write, writer } from '../home/write.ts';
import { textsNow } from '../texts/texts.ts';
import { confirm } from '../ui/confirm.ts';
import type { MainAct, QuestionName } from './kind.ts';
import { operateVirtual } from './operate.ts';

/** Asks for confirmation. @returns whether the user agreed */
export function askFirst({ name }: HomeAccessory, question: QuestionName): Promise<boolean> {
  const { title, body, action } = textsNow(deviceTexts).questions[question];
  return confirm({ title: title({ name }), body, action, isDangerous: true });
}

export async function setAfterQuestion(
  accessory: HomeAccessory,
  question: QuestionName,
  writes: readonly Write[],
): Promise<void> {
  if (await askFirst(accessory, question)) writer.set(...writes);
}

export async function performAct(accessory: HomeAccessory, { question, writes, operation }: MainAct): Promise<void> {
  if (question && !(await askFirst(accessory, question))) return;
  if (writes) writer.set(...writes);
  if (operation) await operateVirtual(accessory.id, operation);
}
