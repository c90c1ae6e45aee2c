/** Does what a tap means, after asking where that is due. */
import type { HouseAccessory } from '../house/house-document.ts';
import { type Write, writer } from '../house/write.ts';
import { textsNow } from '../texts/texts.ts';
import { confirm } from '../ui/confirm.tsx';
import type { MainAct, QuestionName } from './kind.ts';
import { operateVirtual } from './operate.ts';
import { deviceTexts } from './texts/texts.ts';

/** Asks what is to be asked of people before this. @returns whether they agreed */
export function askFirst({ name }: HouseAccessory, question: QuestionName): Promise<boolean> {
  const { title, body, action } = textsNow(deviceTexts).questions[question];
  return confirm({ title: title(name), body, action, isDangerous: true });
}

export async function setAfterQuestion(
  accessory: HouseAccessory,
  question: QuestionName,
  writes: readonly Write[],
): Promise<void> {
  if (await askFirst(accessory, question)) writer.set(...writes);
}

export async function performAct(accessory: HouseAccessory, { question, writes, operation }: MainAct): Promise<void> {
  if (question && !(await askFirst(accessory, question))) return;
  if (writes) writer.set(...writes);
  if (operation) await operateVirtual(accessory.id, operation);
}
