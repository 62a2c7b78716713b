import { Button, type ButtonProps } from '@mantine/core';
import type { ComponentPropsWithoutRef } from 'react';
import { useConnection } from '../api/connection.ts';

type ServerButtonProps = ButtonProps & Omit<ComponentPropsWithoutRef<'button'>, keyof ButtonProps>;

/** A button for something that needs the server: not to be pressed while there is none. */
export function ServerButton({ disabled = false, ...props }: ServerButtonProps) {
  const { lost } = useConnection();
  return <Button {...props} disabled={disabled || lost} {...(lost ? { title: 'Connection lost' } : {})} />;
}
