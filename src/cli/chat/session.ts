/** What the terminal chat talks to. */
export interface ChatSession {
  /** Sends one message; the answer comes piece by piece, and the iteration ends with it. May reject. */
  say(text: string): AsyncIterable<ChatPiece>;
  /** Stops the answer that is being given; its iteration then ends by itself. */
  stop(): Promise<void>;
}

export type ChatPiece =
  /** More of the answer. */
  | { readonly append: string }
  /** The answer so far is this, whatever was shown of it. */
  | { readonly replace: string }
  /** A sentence of the bot itself, apart from the answer. */
  | { readonly notice: string }
  | { readonly done: true };
