import { Button, Group, Modal, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { ErrorNotice } from './error-notice.tsx';
import { Notice } from './notice.tsx';
import { ServerButton } from './server-button.tsx';

/** What happened elsewhere since the dialog opened. */
export interface Meanwhile {
  readonly text: string;
  /** Whether it is what the dialog was opened for, so that nothing is left to do. */
  readonly isDone: boolean;
}

interface ConfirmDialogProps {
  readonly opened: boolean;
  readonly title: string;
  /** What will happen, and to whom. */
  readonly children: ReactNode;
  readonly confirmLabel: string;
  readonly danger?: boolean;
  /** Whether the person still has to do something before it can be confirmed. */
  readonly incomplete?: boolean;
  readonly meanwhile?: Meanwhile | null;
  readonly pending: boolean;
  readonly error: unknown;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

/**
 * Asks before something that other people will notice. What it asks for is fixed when it opens: a change elsewhere is
 * reported and never turns the question around. The focus begins on Cancel, so that Enter alone does nothing.
 */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { opened, title, children, confirmLabel, danger = false, pending, error, onConfirm, onClose } = props;
  const { incomplete = false, meanwhile = null } = props;
  return (
    <Modal opened={opened} onClose={onClose} title={title} closeButtonProps={{ 'aria-label': 'Close' }}>
      <Stack gap="md">
        <div>{children}</div>
        {meanwhile !== null && (
          <Notice tone="warning" role="alert" title={meanwhile.text}>
            {meanwhile.isDone
              ? 'There is nothing left to do.'
              : 'Nothing was sent. Confirm if you still want to.'}
          </Notice>
        )}
        {error != null && <ErrorNotice error={error} />}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose} data-autofocus>
            {meanwhile?.isDone === true ? 'Close' : 'Cancel'}
          </Button>
          <ServerButton
            {...(danger ? { color: 'red.8' } : {})}
            loading={pending}
            disabled={incomplete || meanwhile?.isDone === true}
            onClick={onConfirm}
          >
            {confirmLabel}
          </ServerButton>
        </Group>
      </Stack>
    </Modal>
  );
}
