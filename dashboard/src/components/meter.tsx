import { VisuallyHidden } from '@mantine/core';
import { withoutRoundingError } from '../format/money.ts';
import { formatShare } from '../format/share.ts';
import classes from './meter.module.css';

const NEARLY_FULL = 0.8;

interface MeterProps {
  readonly label: string;
  readonly value: number;
  /** Used, too, but not for good: a segment of its own. */
  readonly held?: number;
  readonly limit: number;
}

/** A bar that shows how much of a limit is used: amber from 80 %, red when the limit is reached. */
export function Meter({ label, value, held = 0, limit }: MeterProps) {
  const total = withoutRoundingError(value + held);
  const used = limit <= 0 ? 1 : total / limit;
  const percent = Math.min(100, used * 100);
  const words = limit <= 0 ? '100 %' : formatShare(total, limit);
  const tone = used >= 1 ? 'full' : used >= NEARLY_FULL ? 'nearly' : 'calm';
  return (
    <div className={classes.meter}>
      <VisuallyHidden>
        <meter aria-label={label} aria-valuetext={words} min={0} max={100} value={percent}>
          {words}
        </meter>
      </VisuallyHidden>
      <div className={classes.track} aria-hidden="true">
        <div className={classes.used} style={{ width: `${total > 0 ? Math.max(percent, 1.5) : 0}%` }}>
          {value > 0 && <div className={classes.fill} data-tone={tone} style={{ flexGrow: value / total }} />}
          {held > 0 && (
            <div className={classes.fill} data-tone={tone} data-held="" style={{ flexGrow: held / total }} />
          )}
        </div>
      </div>
    </div>
  );
}
