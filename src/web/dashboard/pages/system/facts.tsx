/** Names and values: two columns if there is space, else one below the other. */

import { Box } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './facts.module.css';

export type Fact = readonly [name: string, value: ReactNode];

export function Facts({ facts }: { readonly facts: readonly Fact[] }) {
  return (
    <Box component="dl" m={0}>
      {facts.map(([name, value]) => (
        <div key={name} className={classes.fact}>
          <Box component="dt" c="dimmed" flex="0 0 min(11rem, 100%)">
            {name}
          </Box>
          <Box component="dd" m={0} miw={0} flex="1 1 12rem" className="h-anywhere">
            {value}
          </Box>
        </div>
      ))}
    </Box>
  );
}
