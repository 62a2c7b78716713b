import { Button, type ButtonProps } from '@mantine/core';
import type { ComponentProps } from 'react';
import { useConnection } from '../api/connection.ts';

type ServerButtonProps = ButtonProps & Omit<ComponentProps<'button'>, keyof ButtonProps>;

/** A button whose action needs the server. It is disabled while the connection is lost. */
export function ServerButton({ disabled = false, ...props }: ServerButtonProps) {
  const { lost } = useConnection();
  return <Button {...props} disabled={disabled || lost} {...(lost ? { title: 'Connection lost' } : {})} />;
}
