/** The automations, scenes and groups that use the accessory. */
import accessoryTexts from 'texts:accessory';
import { Stack, Text } from '@mantine/core';
import { Blocks, type LucideIcon, Sparkles, Workflow } from 'lucide-react';
import { Link } from 'wouter';
import { graphql, present } from '../../api/graphql.ts';
import { useApiQuery } from '../../api/query.ts';
import { FROM_APP } from '../../devices/came-from.ts';
import { useTexts } from '../../texts/texts.ts';
import { Section } from '../../ui/page.tsx';
import { PAGE_OF } from '../addresses.ts';
import classes from './accessory-page.module.css';

const UsesQuery = graphql(`
  query AccessoryUses($accessoryId: String!) {
    accessoryUses(accessoryId: $accessoryId) {
      kind
      id
      name
    }
  }
`);

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
  const { data } = useApiQuery(
    UsesQuery,
    { accessoryId },
    { subjects: ['automations', 'scenes', 'groups', 'inventory'] },
  );
  const uses = present(data?.accessoryUses).flatMap((use) => {
    const row = USES[use.kind];
    return row ? [{ ...use, ...row }] : [];
  });
  if (uses.length === 0) return null;
  return (
    <Section title={t.usedBy}>
      <Stack component="ul" gap={0} m="0 -8px" className="h-bare" aria-label={t.usedBy}>
        {uses.map(({ id, name, word, icon: Icon, path }) => (
          <li key={`${word} ${id}`}>
            <Link href={path(id)} state={FROM_APP} className={classes.link ?? ''}>
              <Icon aria-hidden size={20} />
              <span className="h-words">
                {name}
                <Text component="span" c="dimmed" fz="sm">
                  {' '}
                  · {t.uses[word]}
                </Text>
              </span>
            </Link>
          </li>
        ))}
      </Stack>
    </Section>
  );
}
