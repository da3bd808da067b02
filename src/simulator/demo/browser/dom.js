// @ts-check

/**
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {string} className
 * @param {...(Node | string)} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function element(tag, className, ...children) {
  const made = document.createElement(tag);
  if (className !== '') made.className = className;
  made.append(...children);
  return made;
}

/**
 * @param {string} className
 * @param {string} label
 * @param {() => void} press
 */
export function button(className, label, press) {
  const made = element('button', className, label);
  made.type = 'button';
  made.addEventListener('click', press);
  return made;
}

/**
 * The element that the page's template has.
 * @param {string} selector
 * @returns {HTMLElement}
 */
export function find(selector) {
  const found = document.querySelector(selector);
  if (!(found instanceof HTMLElement)) throw new Error(`the page has no ${selector}`);
  return found;
}

/**
 * Marks an element with how much of it nobody has seen yet; nothing at 0.
 * @param {HTMLElement} mark
 * @param {number} count
 * @param {string} label
 */
export function showUnread(mark, count, label) {
  mark.hidden = count === 0;
  mark.textContent = count > 99 ? '99+' : String(count);
  mark.title = label;
  mark.ariaLabel = label;
}

/**
 * Tells the server what a person does.
 * @param {object} action
 * @returns {Promise<boolean>} whether it was done
 */
export async function act(action) {
  try {
    const response = await fetch('actions', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(action),
    });
    return response.ok;
  } catch {
    return false;
  }
}
