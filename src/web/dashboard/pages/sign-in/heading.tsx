/** The heading of a sheet and the page's title; screen readers move to it when the sheet changes. */

import { Box, Text } from '@mantine/core';
import { type ReactNode, useEffect, useRef } from 'react';
import classes from './heading.module.css';

interface HeadingProps {
  readonly title: string;
  readonly lead?: ReactNode;
  /** 2: on a page with its own heading. */
  readonly level?: 1 | 2;
  /** The sheet replaced another one: keyboard users continue here. */
  readonly takesFocus?: boolean;
}

export function Heading({ title, lead, level = 1, takesFocus = false }: HeadingProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (level === 1) document.title = `${title} · hearthd`;
    if (takesFocus) heading.current?.focus();
  }, [title, level, takesFocus]);
  const Title = level === 1 ? 'h1' : 'h2';
  return (
    <Box mb={20}>
      <Title ref={heading} tabIndex={-1} className={classes.title} data-level={level}>
        {title}
      </Title>
      {lead && (
        <Text c="dimmed" lh={1.5} mt={8}>
          {lead}
        </Text>
      )}
    </Box>
  );
}
