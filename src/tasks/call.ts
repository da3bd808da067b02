import { mentionUrl } from '../format/index.ts';
import { asTyped } from './as-typed.ts';

/** Calls somebody by name: so that it reaches them where the platform has mentions, else in plain words. */
export const calling = (user: string, name: string, { mentions }: { readonly mentions: boolean }): string =>
  mentions ? `[@${asTyped(name)}](${mentionUrl(user)})` : `@${asTyped(name)}`;
