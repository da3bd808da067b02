const byExtension: Readonly<Record<string, string>> = {
  aac: 'audio/aac',
  amr: 'audio/amr',
  csv: 'text/csv',
  css: 'text/css',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  gif: 'image/gif',
  htm: 'text/html',
  html: 'text/html',
  ics: 'text/calendar',
  jpeg: 'image/jpeg',
  jpg: 'image/jpeg',
  js: 'text/javascript',
  json: 'application/json',
  log: 'text/plain',
  m4a: 'audio/mp4',
  md: 'text/markdown',
  mov: 'video/quicktime',
  mp3: 'audio/mpeg',
  mp4: 'video/mp4',
  ogg: 'audio/ogg',
  opus: 'audio/ogg',
  pdf: 'application/pdf',
  png: 'image/png',
  pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  svg: 'image/svg+xml',
  tsv: 'text/tab-separated-values',
  txt: 'text/plain',
  wav: 'audio/wav',
  webm: 'video/webm',
  webp: 'image/webp',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  xml: 'application/xml',
  yaml: 'application/yaml',
  yml: 'application/yaml',
  zip: 'application/zip',
};

const anything = 'application/octet-stream';

/** What a file's name claims that it holds, as a media type; any bytes where it claims nothing known. */
export function mimeOfName(name: string): string {
  const extension = /\.([a-z0-9]+)$/i.exec(name)?.[1]?.toLowerCase() ?? '';
  return Object.hasOwn(byExtension, extension) ? (byExtension[extension] ?? anything) : anything;
}

/**
 * A claimed media type without its parameters, or what the name says where the claim is none or says nothing: it ends
 * up in headers and prompts.
 */
export function safeMime(claimed: string | undefined, name: string): string {
  const bare = claimed?.split(';')[0]?.trim().toLowerCase() ?? '';
  const known = /^[a-z0-9][a-z0-9!#$&^_.+-]{0,63}\/[a-z0-9][a-z0-9!#$&^_.+-]{0,126}$/.test(bare) && bare !== anything;
  return known ? bare : mimeOfName(name);
}
