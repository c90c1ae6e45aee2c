/** Names and values: two columns if there is space, else at both ends of a line or one below the other. */

import { Box } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './facts.module.css';

export type Fact = readonly [name: string, value: ReactNode];

export function Facts({ facts }: { readonly facts: readonly Fact[] }) {
  return (
    <Box component="dl" m={0}>
      {facts.map(([name, value]) => (
        <div key={name} className={classes.fact}>
          <dt>{name}</dt>
          <dd className="h-anywhere">{value}</dd>
        </div>
      ))}
    </Box>
  );
}
