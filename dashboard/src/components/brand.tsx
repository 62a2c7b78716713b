import classes from './brand.module.css';

export function Brand() {
  return (
    <span className={classes.brand}>
      <svg width="26" height="26" viewBox="0 0 32 32" aria-hidden="true" focusable="false">
        <rect width="32" height="32" rx="8" fill="#0b6e63" />
        <path
          d="M16 6.5 24 9.5v6.2c0 5-3.3 8.4-8 9.8-4.7-1.4-8-4.8-8-9.8V9.5z"
          fill="none"
          stroke="#fff"
          strokeWidth="2"
          strokeLinejoin="round"
        />
        <path d="M13.5 12.5v7l6-3.5z" fill="#fff" />
      </svg>
      Guarded Runs
    </span>
  );
}
