import { Button } from '@mantine/core';
import { toApiError } from '../api/api-error.ts';
import { Icon } from './icon.tsx';
import { Notice } from './notice.tsx';

/** What the server said, the id to ask its log about, and a way to try again. */
export function ErrorNotice({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  const { message, requestId } = toApiError(error);
  return (
    <Notice
      tone="danger"
      role="alert"
      title={message}
      action={
        onRetry && (
          <Button
            variant="default"
            size="xs"
            onClick={onRetry}
            leftSection={<Icon name="refresh" size={14} />}
          >
            Try again
          </Button>
        )
      }
    >
      {requestId !== null && (
        <>
          Request id <span className="mono">{requestId}</span>
        </>
      )}
    </Notice>
  );
}
