// @ts-check
const main = /** @type {HTMLElement} */ (document.getElementById('connect'));
const hint = /** @type {HTMLElement} */ (document.getElementById('hint'));
const picture = /** @type {HTMLElement} */ (document.getElementById('picture'));
const form = /** @type {HTMLFormElement} */ (document.getElementById('number'));
const code = /** @type {HTMLInputElement} */ (document.getElementById('code'));
const problem = /** @type {HTMLElement} */ (document.getElementById('problem'));

const EVERY_MS = 2_000;

/** Takes over what the same page says now; what is being typed in stays. */
async function refresh() {
  const response = await fetch(location.href, { headers: { accept: 'text/html' } });
  if (!response.ok) return;
  const now = new DOMParser().parseFromString(await response.text(), 'text/html');
  const state = now.getElementById('connect')?.dataset;
  if (state === undefined) return;
  const wasWanted = main.dataset.code;
  main.dataset.state = state.state ?? '';
  main.dataset.code = state.code ?? 'unwanted';
  const text = now.getElementById('hint')?.textContent ?? '';
  if (hint.textContent !== text) hint.textContent = text;
  const image = now.getElementById('picture');
  if (image !== null && image.innerHTML !== picture.innerHTML) picture.replaceChildren(...image.childNodes);
  if (wasWanted !== 'wanted' && main.dataset.code === 'wanted') code.focus();
}

form.addEventListener('submit', async (event) => {
  event.preventDefault();
  problem.textContent = '';
  const path = `/api/v1/operations/channels/${encodeURIComponent(main.dataset.channel ?? '')}/login-code`;
  const init = {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ code: code.value }),
  };
  const response = await fetch(path, init).catch(() => null);
  problem.textContent = (response?.ok ? form.dataset.sent : form.dataset.failed) ?? '';
  if (response?.ok) code.value = '';
});

for (;;) {
  // A server that is just starting again is asked again.
  await refresh().catch(() => {});
  await new Promise((resolve) => setTimeout(resolve, EVERY_MS));
}
