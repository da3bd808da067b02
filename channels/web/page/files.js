// @ts-check
import { element, text } from './dom.js';

/** @typedef {{ name: string, bytes: number, image?: boolean, url?: string }} ShownFile Without `url`: not with the server yet. */

const sizeFormat = new Intl.NumberFormat(document.documentElement.lang, { maximumFractionDigits: 1 });

/** @param {number} bytes */
export function sizeOf(bytes) {
  if (bytes < 1_000) return `${bytes} B`;
  return bytes < 1_000_000 ? `${sizeFormat.format(bytes / 1_000)} KB` : `${sizeFormat.format(bytes / 1_000_000)} MB`;
}

/**
 * The files of a message: images to look at, everything else to download.
 * @param {readonly ShownFile[]} files
 */
export function createFileList(files) {
  const list = element('ul', 'files');
  for (const file of files) list.append(element('li', '', shown(file)));
  return list;
}

/** @param {ShownFile} file */
function shown({ name, bytes, image, url }) {
  const label = [element('span', 'file-name', name), element('span', 'file-size', sizeOf(bytes))];
  if (url === undefined) return element('span', 'file', ...label);
  const link = element('a', image ? 'picture' : 'file');
  link.href = url;
  if (image) {
    link.target = '_blank';
    link.rel = 'noopener';
    link.append(picture(name, url, link));
  } else {
    link.download = name;
    link.append(...label);
  }
  return link;
}

/**
 * @param {string} name
 * @param {string} url
 * @param {HTMLElement} around
 */
function picture(name, url, around) {
  const image = element('img', '');
  image.alt = name;
  image.src = url;
  image.loading = 'lazy';
  // Files are kept for a while only.
  image.addEventListener('error', () => {
    around.className = 'file';
    around.replaceChildren(element('span', 'file-name', name), element('span', 'file-size', text('fileGone')));
  });
  return image;
}
