/** A notice to read before continuing. */

import { Box } from '@mantine/core';
import { TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import classes from './notice.module.css';

interface Props {
  readonly tone: 'bad' | 'note';
  readonly icon?: ReactNode;
  readonly children: ReactNode;
}

export function Notice({ tone, icon, children }: Props) {
  return (
    <div className={classes.notice} data-tone={tone} role={tone === 'bad' ? 'alert' : 'status'}>
      {icon ?? <TriangleAlert aria-hidden size={20} />}
      <Box miw={0} className="h-anywhere">
        {children}
      </Box>
    </div>
  );
}
