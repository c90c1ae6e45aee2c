/** Limits an error to the page that fails. */

import shellTexts from 'texts:shell';
import { Button } from '@mantine/core';
import { Component, type ReactNode } from 'react';
import { textsNow } from '../texts/texts.ts';
import { EmptyState } from '../ui/page.tsx';

interface Props {
  readonly children: ReactNode;
  /** Navigation to another page tries again. */
  readonly place: string;
}

interface State {
  readonly failedAt: string | undefined;
}

export class PageBoundary extends Component<Props, State> {
  override state: State = { failedAt: undefined };

  override componentDidCatch(): void {
    this.setState({ failedAt: this.props.place });
  }

  static getDerivedStateFromError(): Partial<State> {
    return { failedAt: '' };
  }

  override componentDidUpdate({ place }: Props): void {
    if (this.state.failedAt !== undefined && place !== this.props.place) this.setState({ failedAt: undefined });
  }

  override render(): ReactNode {
    if (this.state.failedAt === undefined) return this.props.children;
    const t = textsNow(shellTexts);
    return (
      <EmptyState
        isPage
        title={t.crashed}
        action={<Button onClick={() => location.reload()}>{t.crashedReload}</Button>}
      >
        {t.crashedText}
      </EmptyState>
    );
  }
}
