import { Button, Group, Modal, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { isAllowed, type Need } from '../session/rights.ts';
import { useRights } from '../session/use-rights.ts';
import { ErrorNotice } from './error-notice.tsx';
import { MissingRight } from './missing-right.tsx';
import { Notice } from './notice.tsx';
import { ServerButton } from './server-button.tsx';

/** A change made elsewhere since the dialog opened. */
export interface Conflict {
  readonly text: string;
  /** Whether it already has the effect that the dialog would have. */
  readonly isDone: boolean;
}

interface ConfirmDialogProps {
  readonly opened: boolean;
  readonly title: string;
  /** Describes the effect. */
  readonly children: ReactNode;
  readonly confirmLabel: string;
  /** What a member must be allowed to do; `change` unless told. */
  readonly needs?: Need;
  readonly danger?: boolean;
  /** Wider, for a table. */
  readonly size?: 'xl';
  /** Whether input is missing, so that the confirm button stays disabled. */
  readonly incomplete?: boolean;
  readonly conflict?: Conflict | null;
  readonly pending: boolean;
  readonly error: unknown;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
  /** Called after the dialog has disappeared and has returned the focus to the button that opened it. */
  readonly onClosed?: () => void;
}

/**
 * Asks for confirmation of an action that affects others. The action is fixed when the dialog opens: a change made
 * elsewhere is reported but never inverts it. Cancel has the initial focus, so that Enter alone confirms nothing.
 */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { opened, title, children, confirmLabel, danger = false, pending, error, onConfirm, onClose } = props;
  const { incomplete = false, conflict = null, size = 'md', needs = 'change', onClosed } = props;
  const { role } = useRights();
  const hasNothingToConfirm = conflict?.isDone === true || !isAllowed(role, needs);
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      {...(onClosed === undefined ? {} : { onExitTransitionEnd: onClosed })}
      title={title}
      size={size}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <Stack gap="md">
        <div>{children}</div>
        {conflict !== null && (
          <Notice tone="warning" role="alert" title={conflict.text}>
            {conflict.isDone
              ? 'There is nothing left to do.'
              : 'Nothing has been sent. Confirm to apply your change.'}
          </Notice>
        )}
        {error != null && <ErrorNotice error={error} />}
        <MissingRight needs={needs} />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose} data-autofocus>
            {hasNothingToConfirm ? 'Close' : 'Cancel'}
          </Button>
          <ServerButton
            needs={needs}
            {...(danger ? { color: 'red.8' } : {})}
            loading={pending}
            disabled={incomplete || conflict?.isDone === true}
            onClick={onConfirm}
          >
            {confirmLabel}
          </ServerButton>
        </Group>
      </Stack>
    </Modal>
  );
}
