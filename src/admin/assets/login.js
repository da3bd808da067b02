// @ts-check
const form = /** @type {HTMLFormElement} */ (document.getElementById('login'));
const token = /** @type {HTMLInputElement} */ (document.getElementById('token'));
const problem = /** @type {HTMLElement} */ (document.getElementById('problem'));
const button = /** @type {HTMLButtonElement} */ (form.querySelector('button'));

/**
 * @param {string} value
 * @returns {Promise<'in' | 'wrong' | 'wait' | 'failed'>}
 */
async function signIn(value) {
  try {
    const response = await fetch('/api/v1/session', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ token: value }),
    });
    if (response.ok) return 'in';
    if (response.status === 429) return 'wait';
    return response.status === 401 || response.status === 400 ? 'wrong' : 'failed';
  } catch {
    return 'failed';
  }
}

token.focus();
form.addEventListener('submit', async (event) => {
  event.preventDefault();
  button.disabled = true;
  problem.textContent = '';
  const result = await signIn(token.value);
  // The page that was asked for has the same address.
  if (result === 'in') return location.reload();
  button.disabled = false;
  problem.textContent = form.dataset[result] ?? '';
  token.setAttribute('aria-invalid', String(result === 'wrong'));
  token.select();
});
