import { Button, type ButtonProps } from '@mantine/core';
import type { ComponentProps } from 'react';
import { useConnection } from '../api/connection.ts';
import type { Need } from '../session/rights.ts';
import { Allowed } from './allowed.tsx';

type OnlineButtonProps = ButtonProps & Omit<ComponentProps<'button'>, keyof ButtonProps>;

interface ServerButtonProps extends OnlineButtonProps {
  /** The button is not rendered for members who may not use it. Without it, everyone may, even signed out. */
  readonly needs?: Need;
}

/** A button whose action needs the server. It is disabled while the connection is lost. */
export function ServerButton({ needs, ...props }: ServerButtonProps) {
  if (needs === undefined) return <OnlineButton {...props} />;
  return (
    <Allowed needs={needs}>
      <OnlineButton {...props} />
    </Allowed>
  );
}

function OnlineButton({ disabled = false, ...props }: OnlineButtonProps) {
  const { lost } = useConnection();
  return <Button {...props} disabled={disabled || lost} {...(lost ? { title: 'Connection lost' } : {})} />;
}
