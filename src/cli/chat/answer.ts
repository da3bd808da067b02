import type { ChatPiece } from './session.ts';

/** What an answer being written needs on the terminal. */
export interface AnswerWriter {
  take(piece: ChatPiece): void;
  /** Puts out what is held back, and ends the line. */
  end(): void;
}

/**
 * Writes an answer as it grows. With `live`, every piece is shown at once; a replacement that goes on from what is
 * shown only adds to it, another one starts on a new line, since a terminal cannot take words back reliably. Without
 * it (output to a file or pipe) only the final text is written.
 */
export function answerWriter(write: (text: string) => void, live: boolean): AnswerWriter {
  let text = '';
  let atLineStart = true;

  const put = (part: string): void => {
    if (part === '') return;
    write(part);
    atLineStart = part.endsWith('\n');
  };
  const freshLine = (): void => {
    if (!atLineStart) put('\n');
  };
  const replace = (whole: string): void => {
    if (live && whole.startsWith(text)) put(whole.slice(text.length));
    else if (live) {
      freshLine();
      put(whole);
    }
    text = whole;
  };

  return {
    take: (piece) => {
      if ('append' in piece) replace(text + harmless(piece.append));
      else if ('replace' in piece) replace(harmless(piece.replace));
      else if ('notice' in piece) {
        freshLine();
        put(`${harmless(piece.notice)}\n`);
      }
    },
    end: () => {
      if (!live) put(text);
      freshLine();
    },
  };
}

/** A model must not be able to steer the terminal: of the control characters only line break and tab get through. */
function harmless(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
  return text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, '');
}
