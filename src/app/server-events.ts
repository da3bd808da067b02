/** One event of a `text/event-stream`. */
export interface ReceivedEvent {
  readonly event: string;
  readonly data: string;
}

/** Reads the events of a response until its end. Comments (heartbeats) and events without data are passed over. */
export async function* readServerEvents(response: Response): AsyncGenerator<ReceivedEvent, void, void> {
  if (response.body === null) return;
  let rest = '';
  for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
    rest += chunk;
    const blocks = rest.split(/\r?\n\r?\n/);
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const fields = block.split(/\r?\n/).map((line) => /^(\w+): ?(.*)$/.exec(line));
      const values = (name: string): string[] =>
        fields.flatMap((field) => (field?.[1] === name ? [field[2] ?? ''] : []));
      const data = values('data');
      if (data.length > 0) yield { event: values('event').at(-1) ?? 'message', data: data.join('\n') };
    }
  }
}
