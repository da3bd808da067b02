/** An answer of the Bot API. */
export interface ApiAnswer {
  readonly ok: boolean;
  readonly result?: unknown;
  readonly error_code?: number;
  readonly description?: string;
  readonly parameters?: { readonly retry_after?: number; readonly migrate_to_chat_id?: number };
}

export type ApiCaller = (method: string, params?: object, signal?: AbortSignal) => Promise<ApiAnswer>;

/** A client without a will of its own, for tests: one call, one answer. */
export const caller =
  (url: string, token: string): ApiCaller =>
  async (method, params = {}, signal) => {
    const response = await fetch(`${url}/bot${token}/${method}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(params),
      ...(signal === undefined ? {} : { signal }),
    });
    return (await response.json()) as ApiAnswer;
  };

/** The description of a refusal, or `ok`. */
export const outcome = ({ ok, description }: ApiAnswer): string => (ok ? 'ok' : (description ?? ''));
