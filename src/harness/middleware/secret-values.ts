import type { MiddlewareKind } from './port.ts';

/** Shorter ones would black out ordinary words. */
const MIN_SECRET_CHARS = 6;

/** No value of a secret comes back in a result: it is taken out before anything is cut, kept in a file or shown. */
export const secretValues: MiddlewareKind = {
  name: 'secret-values',
  create: ({ skillSecrets = {} } = {}) => {
    // The longest first: one that begins another would leave the rest of that to be seen.
    const hidden = Object.entries(skillSecrets)
      .filter(([, value]) => value.length >= MIN_SECRET_CHARS)
      .sort(([, a], [, b]) => b.length - a.length);
    const conceal = (text: string): string =>
      hidden.reduce((safe, [name, value]) => safe.replaceAll(value, `[secret ${name}]`), text);
    return {
      wrapTool: async (_run, call, next) => {
        const outcome = await next(call);
        return { ...outcome, text: conceal(outcome.text) };
      },
    };
  },
};
