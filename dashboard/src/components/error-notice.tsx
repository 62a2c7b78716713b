import { toApiError } from '../api/api-error.ts';
import { Icon } from './icon.tsx';
import { Notice } from './notice.tsx';
import { ServerButton } from './server-button.tsx';

/** An error message with the request id and an optional retry button. */
export function ErrorNotice({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  const { message, requestId } = toApiError(error);
  return (
    <Notice
      tone="danger"
      role="alert"
      title={message}
      action={
        onRetry && (
          <ServerButton
            variant="default"
            size="xs"
            onClick={onRetry}
            leftSection={<Icon name="refresh" size={14} />}
          >
            Try again
          </ServerButton>
        )
      }
    >
      {requestId !== null && (
        <>
          Request ID <span className="mono">{requestId}</span>
        </>
      )}
    </Notice>
  );
}
