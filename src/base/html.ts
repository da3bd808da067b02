const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Makes text safe in an element and in a quoted attribute. Control characters that HTML forbids become U+FFFD. */
export function escapeHtml(text: string): string {
  return (
    text
      .replace(/[&<>"']/g, (character) => entities[character] ?? character)
      // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
      .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g, '\ufffd')
  );
}

/** Puts escaped words where a template says `{{word}}`; an unknown word stays visible, so that a test can catch it. */
export function fillTemplate(template: string, words: Readonly<Record<string, string>>): string {
  return template.replace(/\{\{(\w+)\}\}/g, (whole, word: string) => escapeHtml(words[word] ?? whole));
}
