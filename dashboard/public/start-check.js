// Before the dashboard itself: when its script cannot be loaded, the page is reloaded once, and then it says so.
(() => {
  const STORAGE_KEY = 'guarded-runs-reloaded-for-start';

  const isFirstTime = () => {
    try {
      if (sessionStorage.getItem(STORAGE_KEY) !== null) return false;
      sessionStorage.setItem(STORAGE_KEY, 'yes');
      return true;
    } catch {
      return false;
    }
  };

  const explain = () => {
    const root = document.getElementById('root');
    if (root === null) return;
    const heading = document.createElement('h1');
    heading.textContent = 'The dashboard could not be loaded';
    const text = document.createElement('p');
    text.textContent =
      'A file of it is missing, or the server does not answer. The API may work nevertheless.';
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

  const giveUp = () => {
    if (isFirstTime()) location.reload();
    else if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', explain);
    else explain();
  };

  document.addEventListener(
    'error',
    ({ target }) => {
      if (target instanceof HTMLScriptElement && target.type === 'module') giveUp();
    },
    true,
  );
  document.addEventListener('guarded-runs-started', () => {
    try {
      sessionStorage.removeItem(STORAGE_KEY);
    } catch {
      // Without storage there is nothing to forget.
    }
  });
})();
