/** An answer of the Web API. */
export type ApiAnswer = { readonly ok: boolean; readonly error?: string } & Readonly<Record<string, unknown>>;

export type ApiCaller = (method: string, params?: object) => Promise<ApiAnswer>;

/** A client without a will of its own, for tests: one call, one answer. */
export const caller =
  (url: string, token: string | undefined): ApiCaller =>
  async (method, params = {}) => {
    const response = await fetch(`${url}${method}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      },
      body: JSON.stringify(params),
    });
    const retryAfter = response.headers.get('retry-after');
    return {
      ...((await response.json()) as ApiAnswer),
      ...(retryAfter === null ? {} : { retryAfter: Number(retryAfter) }),
    };
  };

/** What was refused, or `ok`. */
export const outcome = ({ ok, error }: ApiAnswer): string => (ok ? 'ok' : (error ?? ''));
