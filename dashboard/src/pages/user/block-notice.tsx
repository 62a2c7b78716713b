import type { Schemas } from '../../api/api-client.ts';
import { Notice } from '../../components/notice.tsx';
import { Timestamp } from '../../components/timestamp.tsx';
import classes from './block-notice.module.css';

/** Why a user is blocked, by whom and since when, as far as it is known. */
export function BlockNotice({ user }: { user: Schemas['UserDetail'] }) {
  const { block_note, blocked_by, blocked_at } = user;
  return (
    <Notice
      tone="warning"
      icon="stop"
      title={
        <>
          Blocked
          {blocked_by !== null && ` by ${blocked_by}`}
          {blocked_at !== null && (
            <>
              {', '}
              <Timestamp iso={blocked_at} isExact />
            </>
          )}
        </>
      }
    >
      {block_note !== null && <p className={classes.note}>{block_note}</p>}
      Every run start and step of this user is denied.
    </Notice>
  );
}
