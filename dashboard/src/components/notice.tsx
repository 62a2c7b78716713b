import type { ReactNode } from 'react';
import { Icon, type IconName } from './icon.tsx';
import classes from './notice.module.css';

interface NoticeProps {
  readonly tone: 'danger' | 'warning' | 'good' | 'neutral';
  readonly title: ReactNode;
  readonly children?: ReactNode;
  readonly action?: ReactNode;
  readonly icon?: IconName;
  readonly role?: 'alert' | 'status';
}

/** A highlighted message with an optional action. */
export function Notice({ tone, title, children, action, icon, role }: NoticeProps) {
  return (
    <div className={classes.notice} data-tone={tone} role={role}>
      <span className={classes.icon}>
        <Icon name={icon ?? (tone === 'good' ? 'check' : 'warning')} />
      </span>
      <div className={classes.text}>
        <div className={classes.title}>{title}</div>
        {children && <div className={classes.body}>{children}</div>}
      </div>
      {action && <div className={classes.action}>{action}</div>}
    </div>
  );
}
