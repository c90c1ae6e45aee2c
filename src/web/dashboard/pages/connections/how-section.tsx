/** How a kind of connection is set up, step by step. */
import type { ReactNode } from 'react';
import { Steps } from '../../ui/entries.tsx';
import { Section } from '../../ui/page.tsx';

export function HowSection({ title, steps }: { readonly title: string; readonly steps: readonly ReactNode[] }) {
  return (
    <Section title={title}>
      <Steps>
        {steps.map((step, index) => (
          <li key={index}>{step}</li>
        ))}
      </Steps>
    </Section>
  );
}
