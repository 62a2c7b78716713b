// Runs before the dashboard. One file, because each request delays the first paint.

// Sets the colour scheme, so that a dark page does not flash white. Mantine reads and writes the same key.
(() => {
  let chosen = null;
  try {
    chosen = localStorage.getItem('mantine-color-scheme-value');
  } catch {
    // Storage is not available: use the system's preference.
  }
  const dark =
    chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light');
})();

// If the main script fails to load, the page reloads once, and then shows an error.
(() => {
  const STORAGE_KEY = 'guarded-runs-reloaded-for-start';

  const isFirstFailure = () => {
    try {
      if (sessionStorage.getItem(STORAGE_KEY) !== null) return false;
      sessionStorage.setItem(STORAGE_KEY, 'yes');
      return true;
    } catch {
      return false;
    }
  };

  const showError = () => {
    const root = document.getElementById('root');
    if (root === null) return;
    const heading = document.createElement('h1');
    heading.textContent = 'The dashboard could not be loaded';
    const text = document.createElement('p');
    text.textContent = 'A file is missing or the server is not responding. The API may still be available.';
    const button = document.createElement('button');
    button.textContent = 'Reload';
    button.addEventListener('click', () => location.reload());
    const main = document.createElement('main');
    main.style.cssText =
      'max-width: 32rem; margin: 20vh auto 0; padding: 0 1rem; font-family: system-ui, sans-serif';
    button.style.cssText = 'padding: 0.6rem 1.2rem; font: inherit; cursor: pointer';
    main.append(heading, text, button);
    root.replaceChildren(main);
  };

  const handleFailure = () => {
    if (isFirstFailure()) location.reload();
    else if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', showError);
    else showError();
  };

  document.addEventListener(
    'error',
    ({ target }) => {
      if (target instanceof HTMLScriptElement && target.type === 'module') handleFailure();
    },
    true,
  );
  document.addEventListener('guarded-runs-started', () => {
    try {
      sessionStorage.removeItem(STORAGE_KEY);
    } catch {
      // Storage is not available, so nothing was recorded.
    }
  });
})();
