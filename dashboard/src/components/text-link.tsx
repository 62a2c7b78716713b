import { Anchor } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'wouter';

export function TextLink({ href, children }: { href: string; children: ReactNode }) {
  return (
    <Anchor component={Link} href={href} c="var(--accent-text)" fz="inherit" fw={500}>
      {children}
    </Anchor>
  );
}
