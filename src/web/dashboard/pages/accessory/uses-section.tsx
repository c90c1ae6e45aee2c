/** The automations, scenes and groups that use the accessory. */
import accessoryTexts from 'texts:accessory';
import { Stack, Text } from '@mantine/core';
import { Blocks, type LucideIcon, Sparkles, Workflow } from 'lucide-react';
import { Link } from 'wouter';
import { FROM_APP } from '../../devices/came-from.ts';
import { useTexts } from '../../texts/texts.ts';
import { Section } from '../../ui/page.tsx';
import { PAGE_OF } from '../addresses.ts';
import classes from './accessory-page.module.css';
import { type Use, useUses } from './uses.ts';

interface UseRow {
  readonly icon: LucideIcon;
  readonly path: (id: string) => string;
  readonly word: 'automation' | 'scene' | 'group';
}

const USES: Readonly<Record<string, UseRow>> = {
  automation: { icon: Workflow, path: PAGE_OF.automation, word: 'automation' },
  flow: { icon: Workflow, path: PAGE_OF.flow, word: 'automation' },
  scene: { icon: Sparkles, path: PAGE_OF.scene, word: 'scene' },
  group: { icon: Blocks, path: PAGE_OF.group, word: 'group' },
};

/** Nothing is shown before the answer, and if nothing uses it. */
export function UsesSection({ accessoryId }: { readonly accessoryId: string }) {
  const t = useTexts(accessoryTexts);
  const { data: uses = [] } = useUses([accessoryId]);
  return uses.length > 0 && <UseList title={t.usedBy} uses={uses} />;
}

export function isAutomation({ kind }: Use): boolean {
  return USES[kind]?.word === 'automation';
}

interface UseListProps {
  readonly title: string;
  readonly uses: readonly Use[];
  /** The title names their kind. */
  readonly isOneKind?: boolean;
}

export function UseList({ title, uses, isOneKind = false }: UseListProps) {
  const t = useTexts(accessoryTexts);
  const rows = uses.flatMap((use) => {
    const row = USES[use.kind];
    return row ? [{ ...use, ...row }] : [];
  });
  return (
    <Section title={title}>
      <Stack component="ul" gap={0} m="0 -8px" className="h-bare" aria-label={title}>
        {rows.map(({ id, name, word, icon: Icon, path }) => (
          <li key={`${word} ${id}`}>
            <Link href={path(id)} state={FROM_APP} className={classes.link ?? ''}>
              <Icon aria-hidden size={20} />
              <span className="h-words">
                {name}
                {!isOneKind && (
                  <Text component="span" c="dimmed" fz="sm">
                    {' '}
                    · {t.uses[word]}
                  </Text>
                )}
              </span>
            </Link>
          </li>
        ))}
      </Stack>
    </Section>
  );
}
