import { Icon } from '../components/icon.tsx';
import classes from './search-button.module.css';

export function SearchButton({ onClick }: { onClick: () => void }) {
  return (
    <button type="button" className={classes.open} onClick={onClick}>
      <Icon name="search" />
      Search
      <kbd className={classes.keys}>{isApple() ? '⌘K' : 'Ctrl K'}</kbd>
    </button>
  );
}

function isApple(): boolean {
  return /Mac|iPhone|iPad/.test(navigator.userAgent);
}
