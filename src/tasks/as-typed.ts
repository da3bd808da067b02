/** What people have typed stays what it is: no link, no mention, no formatting. */
export const asTyped = (text: string): string => text.replace(/[\\`*_{}[\]<>#|~!]/g, '\\$&');
