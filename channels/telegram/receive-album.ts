import type { InboundMessage } from '../../src/channel/message.ts';
import type { AlbumBook, KeptAlbum, KeptMessage } from './album-book.ts';
import { type AlbumPart, joined, stronger } from './normalize/album.ts';

export interface AlbumReceiver {
  /** Hands the parts of one album to intake as one message; those it has already are not handed over again. */
  receive(group: string, parts: readonly AlbumPart[]): Promise<void>;
  /** An edit of one part, as an edit of the message that the part belongs to. */
  asWhole(group: string, edit: InboundMessage): Promise<InboundMessage>;
}

/** Parts that come late become a message of their own, which refers to the album and addresses whom it addresses. */
export function albumReceiver(book: AlbumBook, accept: (message: InboundMessage) => Promise<void>): AlbumReceiver {
  return {
    async receive(group, parts) {
      const chat = parts[0]?.message.chat.id ?? '';
      const album = await book.find(chat, group);
      let left = without(
        parts,
        album.messages.filter(({ done }) => done),
      );
      // What was about to be taken in when something broke is offered again exactly as it was, so that intake knows it.
      for (const begun of album.messages.filter(({ done }) => !done)) {
        const again = left.filter(({ message }) => begun.parts.includes(message.id));
        if (again.length < begun.parts.length) continue;
        await take({ ...addressedBy(joined(again), album), id: begun.id }, group, again);
        left = without(left, [begun]);
      }
      if (left.length > 0) await take(linked(addressedBy(joined(left), album), album), group, left);
    },

    async asWhole(group, edit) {
      const { messages } = await book.find(edit.chat.id, group);
      const whole = messages.find(({ parts }) => parts.includes(edit.id));
      return whole === undefined ? edit : { ...edit, id: whole.id, files: whole.files };
    },
  };

  async function take(message: InboundMessage, group: string, parts: readonly AlbumPart[]): Promise<void> {
    const note = (done: boolean): Promise<KeptAlbum> => {
      const kept: KeptMessage = { id: message.id, parts: idsOf(parts), done, files: message.files };
      return book.change(message.chat.id, group, (album) => {
        const others = album.messages.filter((one) => one.done && one.id !== kept.id);
        const first = others.length > 0 ? {} : { author: message.sender.name, text: message.text };
        const addressed = stronger(album.addressed, message.addressed);
        return { ...album, ...first, addressed, messages: [...others, kept] };
      });
    };
    await note(false);
    await accept(message);
    await note(true);
  }
}

const idsOf = (parts: readonly AlbumPart[]): string[] => parts.map(({ message }) => message.id);

function without(parts: readonly AlbumPart[], taken: readonly KeptMessage[]): readonly AlbumPart[] {
  const ids = new Set(taken.flatMap((message) => message.parts));
  return parts.filter(({ message }) => !ids.has(message.id));
}

const addressedBy = (message: InboundMessage, { addressed }: KeptAlbum): InboundMessage => ({
  ...message,
  addressed: stronger(message.addressed, addressed),
});

/** With the album's first message as its quote, where it has no other. */
function linked(message: InboundMessage, { messages, author, text }: KeptAlbum): InboundMessage {
  const first = messages.find(({ done }) => done);
  if (first === undefined || message.quote !== undefined) return message;
  return { ...message, quote: { messageId: first.id, author, fromBot: false, text, files: [] } };
}
